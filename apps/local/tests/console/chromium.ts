import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = [
  process.env.LECTERN_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium of this machine; undefined where there is none. */
export const CHROMIUM = CANDIDATES.find((path) => path !== '' && existsSync(path));

/** Starts it without a window. */
export function startChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium.');
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
