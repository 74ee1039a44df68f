import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WAIT_MS = 30_000;

/** Where pictures of the pages go; undefined where nobody wants them. */
const PICTURES = process.env.LECTERN_SCREENSHOTS;

/** A page of the console, and what was noticed while it was used. */
export interface ConsolePage {
  readonly page: Page;
  /** What the browser complained of: errors of scripts, and what the content security policy kept back. */
  readonly complaints: readonly string[];
  /** Requests that left the origin. */
  readonly strays: readonly string[];
  /** Bytes of script that were loaded so far, gzipped. */
  scriptBytes(): number;
  /** Violations of accessibility that axe calls serious or critical, with where they are. */
  violations(): Promise<readonly string[]>;
  /** How many pixels wider the page is than the window. */
  overflow(): Promise<number>;
  picture(name: string): Promise<void>;
}

/** Opens a page in a window of its own. Complaints about an answer's status are the page's to show, and not kept. */
export async function openPage(browser: Browser, baseUrl: string): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, bypassCSP: false });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  const strays: string[] = [];
  const scripts = new Map<string, number>();
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (line) => {
    const isStatus = /Failed to load resource: the server responded/.test(line.text());
    if (line.type() === 'error' && !isStatus) complaints.push(line.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseUrl) strays.push(request.url());
  });
  page.on('response', async (response) => {
    if (!response.url().endsWith('.js')) return;
    const body = await response.body().catch(() => Buffer.alloc(0));
    scripts.set(response.url(), gzipSync(body).length);
  });
  return {
    page,
    complaints,
    strays,
    scriptBytes: () => [...scripts.values()].reduce((sum, size) => sum + size, 0),
    violations: async () => {
      // In a world of its own: the page's policy allows no scripts of others.
      await page.evaluate(AXE);
      return page.evaluate(async () => {
        // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window.
        const { violations } = await (globalThis as any).axe.run();
        return violations
          .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
          .flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
            nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
          );
      });
    },
    overflow: () =>
      page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    picture: async (name) => {
      if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `console-${name}.png`) });
    },
  };
}
