import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

const CANDIDATES = [
  process.env.LECTERN_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const LAUNCH_TIMEOUT_MS = 180_000;

const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/** Starts the Chromium of this machine headless. Throws if it is not installed. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), timeout: LAUNCH_TIMEOUT_MS, args: ARGS });
}

/** Starts Chromium with a new profile that other programs can use through a port for debugging. */
export async function startDebuggableChromium(port: number): Promise<BrowserContext> {
  return chromium.launchPersistentContext('', {
    executablePath: findChromium(),
    timeout: LAUNCH_TIMEOUT_MS,
    args: [...ARGS, `--remote-debugging-port=${port}`],
  });
}

function findChromium(): string {
  const executablePath = CANDIDATES.find((path) => path !== '' && existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      'Chromium is not installed. Install it (on Debian: apt-get install chromium), or set LECTERN_CHROMIUM to its path.',
    );
  }
  return executablePath;
}
