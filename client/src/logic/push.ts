// Notices while no page is open: what this browser can do, and what the server sends where.

import type { NoticesView, NoticeTarget, NoticeTried, PushTarget, SubscriptionView } from "../wire";
import { request, RequestFailed } from "./http";
import { kept, tokens } from "./memory";
import { settings } from "./settings.svelte";
import { notices } from "../text/notices";
import { t } from "./text";

/** A text of the notices' dialog, in the chosen language. */
export const say = (key: keyof typeof notices.en): string => notices[settings.language][key];

/** What keeps a browser from getting notices; null if nothing does. */
export type Obstacle = "insecure" | "install" | "unsupported" | "denied" | null;

export interface Surroundings {
  secure: boolean;
  hasPush: boolean;
  needsInstalling: boolean; // a phone on which only installed pages get notices
  permission: NotificationPermission;
}

const here = (): Surroundings => ({
  secure: isSecureContext,
  hasPush: "serviceWorker" in navigator && "PushManager" in window && "Notification" in window,
  needsInstalling: /iPhone|iPad/.test(navigator.userAgent),
  permission: "Notification" in window ? Notification.permission : "default",
});

export function obstacle({ secure, hasPush, needsInstalling, permission }: Surroundings = here()): Obstacle {
  if (!secure) return "insecure";
  if (!hasPush) return needsInstalling ? "install" : "unsupported";
  return permission === "denied" ? "denied" : null;
}

const PATIENCE = 10_000; // milliseconds; a service worker that is blocked never becomes ready
const NOTICES = "deadwood-notices"; // the service worker reads this when the address of this browser changes
const KEPT = "/kept-for-notices";
const MARK = 16; // characters

const ready = (): Promise<ServiceWorkerRegistration> =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, fail) => setTimeout(() => fail(new Error("no service worker")), PATIENCE)),
  ]);

const targetOf = (subscription: PushSubscription): PushTarget => {
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { type: "push", endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" };
};

/** The bytes of a key in base64url. */
export const keyBytes = (key: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));

const isFor = (subscription: PushSubscription, key: string): boolean => {
  const own = subscription.options.applicationServerKey;
  return own !== null && String(new Uint8Array(own)) === String(keyBytes(key));
};

/** Ask for permission, then for an address at which this browser gets notices; null if permission is denied. */
export async function subscribeBrowser(key: string): Promise<PushTarget | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await ready();
  let found = await pushManager.getSubscription();
  if (found && !isFor(found, key)) {
    await found.unsubscribe(); // it was for another server at this address
    found = null;
  }
  const options = { userVisibleOnly: true, applicationServerKey: keyBytes(key) };
  const target = targetOf(found ?? (await pushManager.subscribe(options)));
  const cache = await caches.open(NOTICES);
  await cache.put(KEPT, new Response(JSON.stringify({ endpoint: target.endpoint, key })));
  return target;
}

/** The address of this browser as the server shows it; empty if it has none. */
export async function ownMark(): Promise<string> {
  if (obstacle() || Notification.permission !== "granted") return "";
  const found = await ready()
    .then(({ pushManager }) => pushManager.getSubscription())
    .catch(() => null);
  return found ? markOf(found.endpoint) : "";
}

export async function markOf(address: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(address));
  const digits = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return digits.join("").slice(0, MARK);
}

// --- what the server sends where

export interface Seat {
  token: string;
  view: NoticesView;
}

const path = (code: string) => `/api/tables/${encodeURIComponent(code)}/notices`;

/** The notices of a seat that this browser holds. Only the server knows which token belongs to it. */
export async function seatAt(code: string, chair: number): Promise<Seat> {
  let problem = new RequestFailed(t("no server"));
  for (const token of [...tokens.of(code)].reverse()) {
    try {
      const view = await request<NoticesView>("GET", path(code), undefined, token);
      if (view.chair === chair) return { token, view };
    } catch (error) {
      problem = error as RequestFailed; // perhaps a seat that was given up
    }
  }
  throw problem;
}

export const askFor = (code: string, token: string, target: NoticeTarget) =>
  request<NoticesView>("PUT", path(code), target, token);
export const endNotices = (code: string, token: string, { id }: SubscriptionView) =>
  request<NoticesView>("DELETE", `${path(code)}/${id}`, undefined, token);
export const tryNotice = (code: string, token: string, { id }: SubscriptionView) =>
  request<NoticeTried>("POST", `${path(code)}/test`, { id }, token);

// --- this browser at its next visit: its address or its language may have changed

interface Renewal {
  token: string;
  key: string;
  mark: string;
  language: string;
  at: number;
}

const A_DAY = 86_400_000; // milliseconds
const renewals = (code: string): Renewal[] => kept.read<Renewal[]>(`notices ${code}`, []);

export function remember(code: string, token: string, key: string, mark: string): void {
  const others = renewals(code).filter((one) => one.token !== token);
  const own = { token, key, mark, language: settings.language, at: Date.now() };
  kept.write(`notices ${code}`, mark ? [...others, own] : others);
}

export const isStale = (one: Renewal, mark: string, language: string, now: number): boolean =>
  one.mark !== mark || one.language !== language || now - one.at > A_DAY;

/** Tell the server again where this browser is, if something has changed or the last time was long ago. */
export async function renew(code: string): Promise<void> {
  const own = renewals(code).filter(({ token }) => tokens.of(code).includes(token));
  if (!own.length || obstacle() || Notification.permission !== "granted") return;
  const mark = await ownMark();
  for (const one of own) {
    if (!isStale(one, mark, settings.language, Date.now())) continue;
    const target = await subscribeBrowser(one.key);
    if (!target) return;
    await askFor(code, one.token, target);
    remember(code, one.token, one.key, await markOf(target.endpoint));
  }
}
