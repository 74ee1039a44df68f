import { existsSync } from 'node:fs';
import puppeteer, { type Browser } from 'puppeteer-core';

const CANDIDATES = [process.env.LECTERN_FIREFOX ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'];
const LAUNCH_TIMEOUT_MS = 180_000;

/** The Firefox of this machine. Undefined if it is not installed. */
export const FIREFOX = CANDIDATES.find((path) => path !== '' && existsSync(path));

/** Starts Firefox headless. Playwright needs its own build of Firefox; Puppeteer uses an installed one (WebDriver BiDi). */
export function startFirefox(): Promise<Browser> {
  if (FIREFOX === undefined) throw new Error('Firefox is not installed. On Debian: apt-get install firefox-esr.');
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    timeout: LAUNCH_TIMEOUT_MS,
    protocolTimeout: LAUNCH_TIMEOUT_MS,
  });
}
