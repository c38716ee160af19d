// The faces of our bots, by id; a bot of another package is a stranger.

import type { Component } from "svelte";
import Champion from "./Champion.svelte";
import Extra from "./Extra.svelte";
import Hopeful from "./Hopeful.svelte";
import Random from "./Random.svelte";
import Regular from "./Regular.svelte";
import Star from "./Star.svelte";
import Stranger from "./Stranger.svelte";

const FACES: Record<string, Component> = {
  random: Random,
  extra: Extra,
  hopeful: Hopeful,
  regular: Regular,
  star: Star,
  champion: Champion,
};

export const portraitOf = (bot: string): Component => FACES[bot] ?? Stranger;
