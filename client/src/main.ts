import { mount } from "svelte";
import "./typefaces.css";
import "./app.css";
import App from "./App.svelte";
import { catalogue } from "./logic/catalogue.svelte";

const target = document.getElementById("app") as HTMLElement;
const NOT_LOADED =
  "Deadwood could not be loaded. Please reload the page. · Deadwood konnte nicht geladen werden. Bitte lade die Seite neu.";

catalogue.load().then(
  () => mount(App, { target }),
  () => (target.textContent = NOT_LOADED),
);

const keepShell = () => void navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);

// the page itself comes first: fetching all other files would delay its drawing
const DRAWN = 3_000; // milliseconds after loading, when the page has been drawn on any device
const keepShellSoon = () => void setTimeout(keepShell, DRAWN);

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  if (document.readyState === "complete") keepShellSoon();
  else addEventListener("load", keepShellSoon);
}
