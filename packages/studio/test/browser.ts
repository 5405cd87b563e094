import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** Why tests that need a browser are skipped; false where there is one. */
export const noBrowser = executablePath === undefined && "skipped: no Chromium is installed (apt install chromium)";

const flags =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

/** The browser of this machine. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath ?? "", args: flags.split(" ") });
}
