// Lighthouse on one page, as a browser sees it that comes for the first time. Reads what to open as JSON from the first
// argument: { url, chromium, flags, device: "mobile" or "desktop", memory: what localStorage holds }. Writes JSON.
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";

const { url, chromium, flags, device, memory } = JSON.parse(process.argv[2]);
const browser = await puppeteer.launch({ executablePath: chromium, args: flags });
try {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument((kept) => {
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  }, memory);
  const config = device === "desktop" ? desktopConfig : undefined;
  const { lhr } = await lighthouse(url, { disableStorageReset: true, logLevel: "silent" }, config, page);
  const scores = Object.fromEntries(Object.values(lhr.categories).map(({ id, score }) => [id, score && score * 100]));
  const value = (id) => lhr.audits[id]?.numericValue ?? null;
  const failed = Object.values(lhr.audits)
    .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === "binary" && score === 0)
    .map(({ id }) => id);
  const times = { tbt: value("total-blocking-time"), lcp: value("largest-contentful-paint"), fcp: value("first-contentful-paint") };
  const figures = { ...times, cls: value("cumulative-layout-shift"), elements: value("dom-size-insight") };
  console.log(JSON.stringify({ scores, figures, failed, problem: lhr.runtimeError?.message ?? null }));
} finally {
  await browser.close();
}
