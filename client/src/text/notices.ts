// The texts behind the bell; few people open it, so they are loaded only then.

const en = {
  "notices, explained":
    "Get a notice when it is your turn, when a game begins and when it is over, even while this page is closed. You get none while you are here.",
  "notices, private":
    "The server keeps these addresses until you remove them or give up your seat. Nobody else at the table sees them.",
  "notices off": "This server sends no notices.",
  "in this browser": "In this browser",
  "push insecure": "Browsers accept notices only from secure pages (https). You can still use an address below.",
  "push install": "Add this page to your home screen and open it there. Your phone can then show notices.",
  "push unsupported": "This browser does not support notices. You can still use an address below.",
  "push denied": "Notices from this page are blocked. Allow them in your browser's settings, then open this again.",
  "push failed": "This browser could not be set up for notices. Its push service may be out of reach; try again later.",
  "webhook address": "Address to send notices to (a webhook)",
  "webhook kind": "Service",
  "webhook kind auto": "Detect from the address",
  "add webhook": "Add",
  "notice push": "Another browser",
  "notice discord": "Discord",
  "notice slack": "Slack",
  "notice ntfy": "ntfy",
  "notice json": "Program (JSON)",
  "test notice": "Send a test",
  "what was sent": "What was sent",
  "remove notices": "Remove",
};

const de: Record<keyof typeof en, string> = {
  "notices, explained":
    "Du erfährst, wenn du dran bist, wenn ein Spiel beginnt und wenn es vorbei ist, auch wenn diese Seite geschlossen ist. Solange du hier bist, kommt keine Benachrichtigung.",
  "notices, private":
    "Der Server behält diese Adressen, bis du sie entfernst oder deinen Platz aufgibst. Niemand sonst am Tisch sieht sie.",
  "notices off": "Dieser Server verschickt keine Benachrichtigungen.",
  "in this browser": "In diesem Browser",
  "push insecure":
    "Browser nehmen Benachrichtigungen nur von sicheren Seiten (https) an. Du kannst unten trotzdem eine Adresse angeben.",
  "push install":
    "Lege diese Seite auf den Home-Bildschirm und öffne sie dort; dann kommen Benachrichtigungen auf deinem Handy an.",
  "push unsupported":
    "Dieser Browser nimmt keine Benachrichtigungen an. Du kannst unten trotzdem eine Adresse angeben.",
  "push denied":
    "Du hast Benachrichtigungen von dieser Seite blockiert. Erlaube sie in den Einstellungen deines Browsers und öffne das hier noch einmal.",
  "push failed":
    "Der Browser ließ sich nicht für Benachrichtigungen anmelden. Vielleicht ist sein Push-Dienst nicht erreichbar.",
  "webhook address": "Adresse für Benachrichtigungen (ein Webhook)",
  "webhook kind": "Sie gehört zu",
  "webhook kind auto": "An der Adresse erkennen",
  "add webhook": "Hinzufügen",
  "notice push": "Ein anderer Browser",
  "notice discord": "Discord",
  "notice slack": "Slack",
  "notice ntfy": "ntfy",
  "notice json": "Programm (JSON)",
  "test notice": "Test schicken",
  "what was sent": "Was geschickt wurde",
  "remove notices": "Entfernen",
};

export const notices = { en, de };
