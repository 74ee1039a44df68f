import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { expectOutline, IMAGES, isDocumented, storeOutline } from './outline.ts';
import { LAYOUT_MS, OVERFLOW } from './page-checks.ts';
import { violationsOf } from './violations.ts';

/** The timeout of waits, long enough for a slow machine. */
const WAIT_MS = 60_000;

/** The folder for all screenshots; undefined for none. */
const PICTURES = process.env.LECTERN_SCREENSHOTS;

/** Whether the screenshots of the documentation are taken again (`npm run screenshots`). */
const RENEWS_DOCS = PICTURES !== undefined && resolve(PICTURES) === IMAGES;

export interface PageOptions {
  /** The key to sign in with. */
  readonly key?: string;
  /** The language of the browser. */
  readonly locale?: string;
  /** Other allowed origins, for example authorization pages. */
  readonly elsewhere?: readonly string[];
}

/** A page of the console, with the problems that it had. */
export interface ConsolePage {
  readonly page: Page;
  /** Script errors, and violations of the content security policy. */
  readonly errors: readonly string[];
  /** Requests to other origins. */
  readonly foreignRequests: readonly string[];
  /** The size of all loaded scripts in bytes, gzipped. */
  scriptBytes(): number;
  violations(): Promise<readonly string[]>;
  /** The elements that are wider than the window, outermost first. */
  overflow(): Promise<readonly string[]>;
  /**
   * Takes a screenshot in light and one in dark mode, if a folder is set. Without one, a page that the
   * documentation shows must have the outline of its screenshot.
   */
  picture(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Sets the theme of the page like its menu does. With `''` it follows the system again. */
const setTheme = (theme: string) =>
  theme === ''
    ? 'delete document.documentElement.dataset.theme'
    : `document.documentElement.dataset.theme = '${theme}'`;

/** Ends CSS transitions at once: axe and screenshots must not see colors that still change. */
const NO_TRANSITIONS = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}`;

const CLOSE_TOASTS = "for (const close of document.querySelectorAll('.toast button')) close.click()";

/** Opens a page in a new window. Ignores console errors about the status of responses. */
export async function openPage(
  browser: Browser,
  baseUrl: string,
  { key, elsewhere = [], locale }: PageOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 820 },
    reducedMotion: 'reduce',
    ...(locale && { locale }),
  });
  await context.addInitScript(NO_TRANSITIONS);
  if (key !== undefined) {
    // The key of an earlier visit in this tab.
    const script = `if (location.origin === ${JSON.stringify(baseUrl)}) sessionStorage['lectern.key'] ??= ${JSON.stringify(key)}`;
    await context.addInitScript(script);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const errors: string[] = [];
  const foreignRequests: string[] = [];
  const scripts = new Map<string, number>();
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (line) => {
    const isStatus = /Failed to load resource: (the server responded|net::ERR)/.test(line.text());
    if (line.type() === 'error' && !isStatus) errors.push(line.text());
  });
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    const isSent = request.isNavigationRequest() && elsewhere.includes(origin);
    if (origin !== baseUrl && !isSent) foreignRequests.push(request.url());
  });
  page.on('response', async (response) => {
    if (!response.url().endsWith('.js')) return;
    const body = await response.body().catch(() => Buffer.alloc(0));
    scripts.set(response.url(), gzipSync(body).length);
  });
  return {
    page,
    errors,
    foreignRequests,
    scriptBytes: () => [...scripts.values()].reduce((sum, size) => sum + size, 0),
    violations: () => violationsOf(page),
    overflow: async () => {
      const isDone = `${OVERFLOW}.length === 0`;
      await page.waitForFunction(isDone, undefined, { timeout: LAYOUT_MS }).catch(() => undefined);
      return page.evaluate<string[]>(OVERFLOW);
    },
    picture: async (name) => {
      if (PICTURES === undefined) {
        if (isDocumented(name)) await expectOutline(name, page);
        return;
      }
      if (RENEWS_DOCS && !isDocumented(name)) return;
      // Confirmations of earlier actions cover what the picture shows.
      if (name !== 'toast') await page.evaluate(CLOSE_TOASTS);
      for (const theme of ['light', 'dark']) {
        await page.evaluate(setTheme(theme));
        const suffix = theme === 'dark' ? '-dark' : '';
        await page.screenshot({ path: join(PICTURES, `console-${name}${suffix}.png`), animations: 'disabled' });
      }
      await page.evaluate(setTheme(''));
      if (RENEWS_DOCS) await storeOutline(name, page);
    },
    close: () => context.close(),
  };
}
