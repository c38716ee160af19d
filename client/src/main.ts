import { mount } from "svelte";
import "./typefaces.css";
import "./app.css";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app") as HTMLElement });

if ("serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
