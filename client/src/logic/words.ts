// The words of personal keys: nine of them have 81 bits. They are short English words that people learn early, in any
// country, and no two are alike: the first four letters tell them apart, and one wrong letter leaves a word clear.
// The list is our own, so that nobody takes a key for the phrase of a wallet. It must never change: keys depend on it.

export const WORDS: readonly string[] = `
  anchor angel animal apple april arrow artist aunt autumn avocado award axle baby bacon badge bakery balcony ball
  bamboo banana band banjo barber barn barrel basket bath beach beard beaver bedroom berry bicycle bird biscuit
  bishop blanket blossom blue boat bone book bottle bowl boxer brass bread brick bride bronze broom brother bucket
  budget buffalo bus butter cabin cactus cage camel canal candle canoe canyon captain carpet carrot castle cat
  cedar cellar chair chalk cheese cherry chess chicken chimney church cinema circus city clay clock cloud clown
  coach coast cobra coconut coffee coin comet compass concert cookie copper cotton cousin cowboy coyote cradle
  crane cream cricket crystal cube curtain daisy dancer daughter dentist desert diamond dice dinner dinosaur
  doctor dog dollar dolphin donkey door dragon drawer dress drum duck dust eagle earth east egg elbow elephant
  eleven engine envelope evening eye fabric factory family farm father fence fiddle field film finger fire fish
  flag flame flood flower flute forest fork fox friday friend frog fruit funnel galaxy garage garden garlic gate
  ghost giant giraffe glacier glass glove gold goose grape gravel green guitar hammer hamster harp hazel heart
  hedge helmet hero hill hockey holiday honey horse hospital hotel hour hundred hunter idea igloo ink insect iron
  island ivory jacket jaguar january jazz jelly jewel journal judge juice july jump jungle kangaroo karate kettle
  keyboard kingdom kitchen kite kiwi knee knife knot koala ladder lake lamp lantern lasso lawyer leaf leather
  lemon leopard letter library lion lizard lobster london lucky lunch machine magic magnet mango map maple marble
  market mask meadow melon metal midnight milk million minute mirror monday month moon morning moss mother motor
  mountain mouse museum mushroom music mustard nail napkin nation needle nephew nest nickel night nine noodle
  north nose notebook novel number nurse nut oak ocean october office olive onion opera orange orchard organ
  ostrich otter oven oyster paddle paint palace palm pancake panda panther paper parade park pasta peacock peanut
  pearl pebble pencil penguin pepper photo piano pickle picnic pigeon pillow pilot pirate pizza planet plaza plum
  pocket poet polar police pony popcorn postcard potato powder prairie prince prize pudding pumpkin puppet purple
  puzzle pyramid quarter queen question quilt rabbit raccoon radio railway rain ranch raven razor recipe red
  reindeer ribbon ring river road robin robot roof rooster rope rubber ruby rug ruler sailor salad salmon salt
  sandal sauce sausage scarf school scooter sea secret september seven shadow shark sheriff ship shirt shoe shovel
  silver sister sky sled smoke snake snow sofa soldier soup south spider sponge spoon spring square stable stadium
  stage star station stone storm straw street sugar suitcase summer sunday sunset swan sweater sword taxi teacher
  teapot telephone temple tennis tent thirty thousand thunder ticket tiger tomato tooth torch tornado tourist
  tower toy tractor treasure tree triangle trophy trumpet tuba tulip turkey turtle twelve twin umbrella uncle
  unicorn uniform valley vampire vanilla vase velvet village vinegar violin visitor volcano voyage vulture waffle
  wagon waiter wallet walnut walrus watch wedding week whale wheat wheel white window winter wolf wood world
  yellow yesterday zebra zigzag zipper zoo
`
  .trim()
  .split(/\s+/);
