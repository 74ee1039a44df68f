import { setTimeout as delay } from 'node:timers/promises';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { createCollection } from '#console/create-collection';
import { documentsPage } from '#console/documents-page';
import { startForConsole } from '#console/start-for-console';
import { TASK_CATEGORIES, taskTimes } from '#console/task-times';
import { createApi } from '#system/api';
import type { Lectern } from '#system/lectern';

/** Scrolling through all pages of the list of documents. */
export interface ListScroll {
  readonly documents: number;
  readonly pages: number;
  /** The duration of each task of more than 50 ms, by page of the list. */
  readonly longTasks: readonly { readonly page: number; readonly durationMs: number }[];
  /** Milliseconds between two frames, while the pages change and scroll. */
  readonly frameMs: readonly number[];
  /** The CPU time of each task. */
  readonly cpuMs: readonly number[];
}

const WAIT_MS = 30_000;
/** The distance of a frame while a person scrolls fast, in CSS pixels. */
const STEP_PX = 120;

const scrollSchema = z.object({ frames: z.array(z.number()), tasks: z.array(z.number()), distance: z.number() });

/** Records tasks of more than 50 ms (https://w3c.github.io/longtasks/). */
const WATCHER = `
  window.__tasks = [];
  window.__observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.__tasks.push(duration);
  });
  window.__observer.observe({ type: 'longtask' });`;

/**
 * Opens the next page of the list (not for the first) and scrolls from its start to its end. Returns
 * the times between frames, the long tasks since the last call, and the distance.
 */
const SCROLL = (page: number) => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const shown = () => Number(document.querySelector('.pager span')?.textContent.match(/[0-9]+/)?.[0]);
  const isShown = () => shown() === ${page} && document.querySelectorAll('tbody tr').length > 0;
  const frames = [];
  let last = await frame();
  const next = async () => { const now = await frame(); frames.push(now - last); last = now; };
  if (${page} > 1) document.querySelector('.pager button:last-child').click();
  const deadline = performance.now() + ${WAIT_MS};
  while (!isShown()) {
    if (performance.now() > deadline) throw new Error('Page ${page} of the list was not shown within ${WAIT_MS} ms.');
    await next();
  }
  window.scrollTo(0, 0);
  await next();
  const end = document.documentElement.scrollHeight - window.innerHeight;
  for (let at = 0; at < end; at += ${STEP_PX}) { window.scrollTo(0, at + ${STEP_PX}); await next(); }
  const distance = window.scrollY;
  for (const { duration } of window.__observer.takeRecords()) window.__tasks.push(duration);
  return { frames, tasks: window.__tasks.splice(0), distance };
})()`;

/** Scrolls through a list of documents, page by page, in a temporary Lectern and browser. */
export async function measureList(documents: number, signal: AbortSignal): Promise<ListScroll> {
  await using cleanUp = new AsyncDisposableStack();
  const lectern = await startForConsole(cleanUp, signal);
  const browser = await startChromium();
  cleanUp.defer(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
  await context.addInitScript(`sessionStorage['lectern.key'] = ${JSON.stringify(lectern.secretKey)}`);
  return await scrollThrough(browser, await context.newPage(), lectern, documents, signal);
}

async function scrollThrough(
  browser: Browser,
  page: Page,
  lectern: Lectern,
  documents: number,
  signal: AbortSignal,
): Promise<ListScroll> {
  const api = createApi(lectern);
  const collection = await createCollection(api, 'Archive');
  api.close();
  let limit = 0;
  // The browser gets generated records: an import of so many documents takes longer than the benchmark.
  await page.route('**/collections/*/documents?*', (route) => {
    const params = new URL(route.request().url()).searchParams;
    limit = Number(params.get('limit') ?? 20);
    return route.fulfill({ json: documentsPage(collection, documents, Number(params.get('page') ?? 1), limit) });
  });
  await page.goto(`${lectern.baseUrl}/console/collections/${collection}`);
  await page.locator('tbody tr').first().waitFor({ timeout: WAIT_MS });
  await page.evaluate(WATCHER);
  await browser.startTracing(page, { categories: TASK_CATEGORIES });
  const pages = Math.ceil(documents / limit);
  const longTasks: { page: number; durationMs: number }[] = [];
  const frameMs: number[] = [];
  for (let at = 1; at <= pages; at += 1) {
    signal.throwIfAborted();
    const { frames, tasks, distance } = scrollSchema.parse(await page.evaluate(SCROLL(at)));
    if (distance === 0) throw new Error(`Page ${at} of the list does not scroll.`);
    frameMs.push(...frames);
    longTasks.push(...tasks.map((durationMs) => ({ page: at, durationMs })));
  }
  // The observer reports a task when it has ended.
  await delay(200, undefined, { signal });
  const last = scrollSchema.shape.tasks.parse(await page.evaluate('window.__tasks'));
  longTasks.push(...last.map((durationMs) => ({ page: pages, durationMs })));
  const cpuMs = taskTimes((await browser.stopTracing()).toString('utf8'));
  if (cpuMs.length === 0) throw new Error('The trace of Chromium has no tasks of the page.');
  return { documents, pages, longTasks, frameMs, cpuMs };
}
