// The picture for each place; a place without one looks like a piece of the lot.

import type { Component } from "svelte";
import Bank from "./Bank.svelte";
import CastingOffice from "./CastingOffice.svelte";
import Church from "./Church.svelte";
import GeneralStore from "./GeneralStore.svelte";
import Hotel from "./Hotel.svelte";
import Jail from "./Jail.svelte";
import MainStreet from "./MainStreet.svelte";
import Ranch from "./Ranch.svelte";
import Saloon from "./Saloon.svelte";
import SecretHideout from "./SecretHideout.svelte";
import Somewhere from "./Somewhere.svelte";
import Trailers from "./Trailers.svelte";
import TrainStation from "./TrainStation.svelte";

const FACES: Record<string, Component> = {
  bank: Bank,
  "casting-office": CastingOffice,
  church: Church,
  "general-store": GeneralStore,
  hotel: Hotel,
  jail: Jail,
  "main-street": MainStreet,
  ranch: Ranch,
  saloon: Saloon,
  "secret-hideout": SecretHideout,
  trailers: Trailers,
  "train-station": TrainStation,
};

export const faceOf = (id: string): Component => FACES[id] ?? Somewhere;

// An emblem for each place's sign, drawn on a field of 24 by 24.
export const EMBLEMS: Record<string, string> = {
  bank: "M4 10L12 4L20 10ZM6 11V18M10 11V18M14 11V18M18 11V18M4 20H20",
  "casting-office": "M12 3L14.6 9.200L21 9.700L16 14L17.6 20.500L12 17L6.4 20.500L8 14L3 9.700L9.4 9.200Z",
  church: "M12 2V8M9.5 4.500H14.500M12 7L6 13V21H18V13ZM10.5 21V17H13.500V21",
  "general-store": "M4 10L6 4H18L20 10M5 10V20H19V10M4 10Q6 13 8 10Q10 13 12 10Q14 13 16 10Q18 13 20 10",
  hotel: "M8 8A3.5 3.5 0 1 1 8 8.100M11 10L20 19M17 16L15 18M20 19L18.5 20.5",
  jail: "M5 4H19V20H5ZM9 4V20M12 4V20M15 4V20",
  "main-street": "M12 4A8 8 0 1 1 11.9 4M12 4V20M4 12H20M6.4 6.400L17.6 17.600M17.6 6.400L6.4 17.6",
  ranch: "M7 20V14Q3 6 8 4M17 20V14Q21 6 16 4M8 4Q12 2 16 4M7 20H10M17 20H14",
  saloon: "M6 7H15V20H6ZM15 10H18V16H15M6 7Q5 4 8 4Q10 2 12 4Q16 3 15 7M9 10V17M12 10V17",
  "secret-hideout": "M5 20Q3 8 12 5Q21 8 19 20ZM10 20Q9 13 12 12Q15 13 14 20",
  trailers: "M3 8Q3 6 5 6H17Q21 6 21 12V16H3ZM7 9H12V12H7ZM15 16V9H18V16M8 17A2 2 0 1 0 8.1 17",
  "train-station":
    "M5 16H15V8H19V16M5 16V11H15M8 11V7M6 6H10M4 16H20M8 18A1.5 1.5 0 1 0 8.1 18M16 18A1.5 1.5 0 1 0 16.1 18",
};
