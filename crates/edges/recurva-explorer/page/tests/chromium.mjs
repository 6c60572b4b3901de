// Finds Chromium; on a Debian-like system it is installed when it is missing.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Flags for a browser in a test: it talks to nobody on its own. */
export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

function found() {
  const named = process.env["CHROMIUM"];
  if (named) return existsSync(named) ? named : null;
  return (
    ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path)) ?? null
  );
}

/** The path of Chromium. Throws with what to do if there is none and it cannot be installed. */
export function chromiumPath() {
  const path = found();
  if (path) return path;
  if (!process.env["CHROMIUM"] && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const options = {
      stdio: "inherit",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    };
    console.error("Chromium is missing: installing Debian's package");
    try {
      execFileSync("apt-get", ["update", "-q"], options);
      execFileSync(
        "apt-get",
        ["install", "-y", "-q", "--no-install-recommends", "chromium"],
        options,
      );
    } catch {
      // What is missing is said below.
    }
    const installed = found();
    if (installed) return installed;
  }
  throw new Error(
    "The browser tests need Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM to its path; RECURVA_NO_BROWSER=1 leaves these tests out.",
  );
}
