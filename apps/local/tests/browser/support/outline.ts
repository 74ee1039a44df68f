import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@lectern/local-engines';
import { timeLimit } from '@lectern/testing';
import type { Page } from 'playwright-core';
import { LAYOUT_MS } from './page-checks.ts';

/** The folder with the screenshots of the documentation. */
export const IMAGES = fileURLToPath(new URL('../../../../../docs/images', import.meta.url));

/**
 * An expression that returns the address and the headings, controls, and names of columns and fields, in
 * document order, without repetitions. Not what records fill: rows, list items and the menu.
 */
const ELEMENTS = `(() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const found = [...document.querySelectorAll('h1, h2, h3, th[scope=col], label, legend, summary, button, a, [role=tab]')]
    .filter((element) => isShown(element) && !element.closest('tbody, li, nav, aside, option, .toast, [aria-hidden=true]'))
    .map((element) => {
      const name = element.getAttribute('aria-label') ?? element.textContent;
      const tag = element.tagName.toLowerCase().replace(/^h\\d$/, 'heading');
      return tag + ' ' + name.replace(/\\s+/g, ' ').trim();
    });
  return [location.pathname, ...new Set(found)];
})()`;

const MONTHS = /\b(January|February|March|April|May|June|July|August|September|October|November|December)\b/g;

/** Replaces what differs from day to day: numbers, names of months, and ids. */
const withoutValues = (line: string): string =>
  line
    .replace(/\b[a-z]+_[0-9a-z]{20,}/g, ':id')
    .replace(/\d+([.,:]\d+)*/g, '0')
    .replace(MONTHS, 'January');

const readOutline = async (page: Page): Promise<readonly string[]> =>
  (await page.evaluate<string[]>(ELEMENTS)).map(withoutValues);

const fileOf = (name: string): string => join(IMAGES, `console-${name}.txt`);

/** Whether the documentation contains a screenshot. An empty file next to it asks for one. */
export const isDocumented = (name: string): boolean => existsSync(fileOf(name));

/** The paths of the pages that the documentation shows. */
export const documentedPaths = (): ReadonlySet<string> =>
  new Set(
    readdirSync(IMAGES)
      .filter((file) => file.endsWith('.txt'))
      .map((file) => readFileSync(join(IMAGES, file), 'utf8').split('\n', 1)[0] ?? ''),
  );

/** Stores the outline of a page next to its screenshot. */
export const storeOutline = async (name: string, page: Page): Promise<void> =>
  writeFile(fileOf(name), `${(await readOutline(page)).join('\n')}\n`);

/** Throws an error if the outline of a page is not the one of its screenshot, also shortly afterwards. */
export async function expectOutline(name: string, page: Page): Promise<void> {
  const stored = readFileSync(fileOf(name), 'utf8').trimEnd().split('\n');
  let differences: readonly string[] = [];
  const isSame = async () => {
    const current = await readOutline(page);
    const removed = stored.filter((line) => !current.includes(line)).map((line) => `- ${line}`);
    const added = current.filter((line) => !stored.includes(line)).map((line) => `+ ${line}`);
    differences = [...removed, ...added];
    return differences.length === 0;
  };
  const options = { what: 'the outline of the screenshot', timeoutMs: timeLimit(LAYOUT_MS) };
  await waitUntil(isSame, options).catch(() => undefined);
  if (differences.length === 0) return;
  const advice = 'Run npm run screenshots, look at the pictures, and commit them.';
  const found = `The page has changed since docs/images/console-${name}.png was taken.`;
  throw new Error(`${found} ${advice}\n${differences.join('\n')}`);
}
