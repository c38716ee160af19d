// Notifies players who are looking elsewhere that it is their turn.

import { settings } from "./settings.svelte";
import { t } from "./text";

export async function allowNotices(): Promise<boolean> {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

export function notifyTurn(): void {
  if (!settings.notify || !document.hidden || !("Notification" in window) || Notification.permission !== "granted")
    return;
  new Notification("Deadwood", { body: t("your turn"), tag: "turn", icon: "/icon.svg" });
}
