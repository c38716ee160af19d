import { mount } from "svelte";
import "./typefaces.css";
import "./app.css";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app") as HTMLElement });

const keepShell = () => void navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  if (document.readyState === "complete") keepShell();
  else addEventListener("load", keepShell); // the page itself comes first
}
