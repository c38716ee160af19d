// A game without rules on boardgame.io's own server: whose turn it is walks to an area. The state is as big as Deadwood's.
import { createRequire } from "node:module";
import { DurableLog } from "./storage.mjs";

const { Server } = createRequire(import.meta.url)("boardgame.io/server");

const walk = {
  name: "walk",
  setup: ({ ctx }) => ({
    players: Array.from({ length: ctx.numPlayers }, () => ({
      area: "trailers",
      rank: 1,
      dollars: 0,
      credits: 0,
      role: null,
      chips: 0,
    })),
    sets: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`set-${n}`, { scene: "face down", shots: 3 }])),
    unseen: Array.from({ length: 40 }, (_, n) => n + 1),
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    walk: ({ G, playerID }, area) => {
      G.players[Number(playerID)].area = area;
    },
  },
};

const server = Server({ games: [walk], origins: [/.*/], db: new DurableLog(process.argv[2]) });
const { appServer } = await server.run({ port: 0 });
console.log(`listening at :${appServer.address().port} `);
