// Keeps the screen of this device awake, if the browser can.

/** Keep the screen awake until the returned function is called. A hidden page loses the lock, and asks again later. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let ended = false;

  async function ask(): Promise<void> {
    if (ended || document.hidden || !("wakeLock" in navigator)) return;
    const got = await navigator.wakeLock.request("screen").catch(() => null); // refused when the battery is low
    if (ended) void got?.release();
    else lock = got;
  }

  const seen = () => void ask();
  document.addEventListener("visibilitychange", seen);
  void ask();
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", seen);
    void lock?.release();
  };
}
