// What the browser tests share: making a page of a document, opening it, watching it.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { chromiumPath, FLAGS } from "./chromium.mjs";

const root = new URL("../", import.meta.url);
export const output = fileURLToPath(new URL("test-output/", root));
mkdirSync(output, { recursive: true });

const read = (name) => readFileSync(new URL(name, root), "utf8");
const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The policy that the page must live with. */
export function policy() {
  return [
    "default-src 'none'",
    `script-src ${digest(read("dist/explorer.js"))}`,
    `style-src ${digest(read("src/style.css"))}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The page of a document as one text, as the binary makes it; without a document, a server's. */
export function htmlOf(document) {
  const data = document
    ? `<script type="application/json" id="document">${JSON.stringify(document).replaceAll("<", "\\u003c")}</script>`
    : "";
  return read("src/index.html")
    .replace("<!--policy-->", () =>
      document ? `<meta http-equiv="Content-Security-Policy" content="${policy()}">` : "",
    )
    .replace("<!--style-->", () => `<style>${read("src/style.css")}</style>`)
    .replace("<!--document-->", () => data)
    .replace("<!--script-->", () => `<script>${read("dist/explorer.js")}</script>`);
}

/** Writes the page of a document; gives its address. */
export function pageFile(name, document) {
  const path = `${output}${name}.html`;
  writeFileSync(path, htmlOf(document));
  return `file://${path}`;
}

let started = null;

/** The browser; one for all tests of a file. */
export async function browser() {
  started ??= await chromium.launch({ executablePath: chromiumPath(), args: FLAGS });
  return started;
}

/** Closes the browser. */
export async function closeBrowser() {
  await started?.close();
  started = null;
}

/**
 * Opens an address in a new window. `problems` collects what must never be: errors in the
 * console and requests to other hosts than the page's own.
 */
export async function open(address, options = {}) {
  const {
    width = 1400,
    height = 900,
    scheme = "light",
    bypassCSP = false,
    touch = false,
  } = options;
  const context = await (
    await browser()
  ).newContext({
    viewport: { width, height },
    colorScheme: scheme,
    bypassCSP,
    hasTouch: touch,
  });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const problems = [];
  const own = address.startsWith("file:") ? "file:" : new URL(address).origin;
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(own) && !url.startsWith("data:")) problems.push(`request to ${url}`);
  });
  await page.goto(address);
  return { page, problems, close: () => context.close() };
}

/** Keeps a picture of a page among the test's output. */
export async function picture(page, name) {
  await page.screenshot({ path: `${output}${name}.png` });
}

/** The part of the address behind `#`. */
export const hash = (page) => page.evaluate(() => location.hash);

/** The text of the first element that a selector finds. */
export const text = (page, selector) => page.locator(selector).first().textContent();

/** What was announced last. */
export const said = (page) => text(page, '[role="status"][aria-live]');
