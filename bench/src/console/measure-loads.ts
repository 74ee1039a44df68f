import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { startForConsole } from '#console/start-for-console';
import type { Lectern } from '#system/lectern';

/** Loads of a page, each with an empty browser cache. */
export interface PageLoads {
  readonly name: string;
  /** Gzipped bytes of its scripts, and of the complete first load including lazy parts. */
  readonly scriptBytes: number;
  /** Milliseconds from navigation until the page is interactive, one per load. */
  readonly interactiveMs: readonly number[];
}

interface Target {
  readonly name: string;
  readonly path: string;
  readonly isSignedIn: boolean;
  /**
   * The element that a person needs. The page is interactive once it exists and no long task runs.
   */
  readonly selector: string;
}

const TARGETS: readonly Target[] = [
  { name: 'Sign in', path: '', isSignedIn: false, selector: 'input[type=password]' },
  { name: 'Search', path: '/search', isSignedIn: true, selector: 'input[type=search]' },
  { name: 'Chat', path: '/chat', isSignedIn: true, selector: '.composer textarea' },
];

const LOAD_TIMEOUT_MS = 60_000;
/** The page is idle after this long without a long task. */
const QUIET_MS = 500;

/**
 * Records when the element appears, and when the last task of more than 50 ms ends
 * (https://w3c.github.io/longtasks/): until then the page does not respond.
 */
const WATCHER = (selector: string) => `
  window.__seen = 0; window.__busyUntil = 0;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) window.__busyUntil = Math.max(window.__busyUntil, task.startTime + task.duration);
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.__seen = performance.now(); });
  }).observe(document, { childList: true, subtree: true });`;

/** Loads each page several times in turns, with a temporary Lectern and browser. */
export async function measureLoads(loads: number, signal: AbortSignal): Promise<readonly PageLoads[]> {
  await using cleanUp = new AsyncDisposableStack();
  const lectern = await startForConsole(cleanUp, signal);
  const browser = await startChromium();
  cleanUp.defer(() => browser.close());
  return await loadInTurns(browser, lectern, loads, signal);
}

async function loadInTurns(browser: Browser, lectern: Lectern, loads: number, signal: AbortSignal) {
  const measured = TARGETS.map(() => ({ scriptBytes: 0, interactiveMs: [] as number[] }));
  for (let turn = 0; turn < loads; turn += 1) {
    for (const [index, target] of TARGETS.entries()) {
      signal.throwIfAborted();
      const { scriptBytes, interactiveMs } = await load(browser, lectern, target);
      const sum = measured[index];
      if (sum === undefined) continue;
      sum.scriptBytes = scriptBytes;
      sum.interactiveMs.push(interactiveMs);
    }
  }
  return TARGETS.map(({ name }, index) => ({ name, ...(measured[index] ?? { scriptBytes: 0, interactiveMs: [] }) }));
}

/** Waits from outside the page, because its content security policy forbids evaluating text. */
async function untilQuiet(page: Page): Promise<void> {
  const isQuiet = `window.__seen > 0 && performance.now() - Math.max(window.__seen, window.__busyUntil) > ${QUIET_MS}`;
  const deadline = performance.now() + LOAD_TIMEOUT_MS;
  while (!(await page.evaluate<boolean>(isQuiet))) {
    if (performance.now() > deadline) throw new Error(`${page.url()} could not be used within ${LOAD_TIMEOUT_MS} ms.`);
    await delay(50);
  }
}

async function load(browser: Browser, { baseUrl, secretKey }: Lectern, { path, isSignedIn, selector }: Target) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
  try {
    await context.addInitScript(WATCHER(selector));
    if (isSignedIn) await context.addInitScript(`sessionStorage['lectern.key'] = ${JSON.stringify(secretKey)}`);
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      const size = response.body().then(
        (body) => gzipSync(body).length,
        () => 0,
      );
      sizes.push(size);
    });
    await page.goto(`${baseUrl}/console${path}`);
    await untilQuiet(page);
    const interactiveMs = await page.evaluate<number>('Math.max(window.__seen, window.__busyUntil)');
    const bytes = await Promise.all(sizes);
    return { interactiveMs, scriptBytes: bytes.reduce((sum, size) => sum + size, 0) };
  } finally {
    await context.close();
  }
}
