import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { describeIf } from '@lectern/testing/skip';
import type { Browser, Page } from 'puppeteer-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { ownerLink, PASSWORD } from './support/create-owner.ts';
import { FIREFOX, startFirefox } from './support/firefox.ts';
import { AXE, OVERFLOW, type Violation } from './support/page-checks.ts';

const WAIT_MS = 60_000;
const WIDTHS = [1_440, 768, 390];
const PAGES = [
  ...['overview', 'ask', 'search', 'chat', 'agents', 'collections', 'connectors', 'search-rules', 'synonyms', 'models'],
  ...['questions', 'test-cases', 'search-insights', 'usage', 'people', 'keys', 'tools', 'slack', 'webhooks', 'audit'],
  ...['settings', 'account'],
];

describeIf(FIREFOX !== undefined, 'Firefox is not installed')('the console in Firefox', () => {
  let lectern: Lectern;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    [lectern, browser] = await Promise.all([startLectern(), startFirefox()]);
    const { id } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Handbook' });
    const document = { title: 'Leave', content: 'All employees have thirty days of paid leave a year.' };
    const created = await lectern.api.ok('POST', `/api/v1/collections/${id}/documents`, document);
    await lectern.api.until(`/api/v1/documents/${created.id}`, ({ status }) => status === 'indexed');
    page = await browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (error) => errors.push(String(error)));
  });
  afterAll(async () => {
    await browser?.close();
    await lectern?.stop();
  });

  // Not locators: they evaluate text, which the policy of the page forbids.
  const wait = async (selector: string) => {
    const found = await page.waitForSelector(selector);
    if (found === null) throw new Error(`Nothing matches ${selector}.`);
    return found;
  };
  const named = (role: string, name: string) => wait(`::-p-aria([name="${name}"][role="${role}"])`);
  const until = (expression: string, what: string) =>
    waitUntil(async () => Boolean(await page.evaluate(expression)), { what, timeoutMs: WAIT_MS, intervalMs: 100 });
  const open = (path: string) => page.goto(`${lectern.baseUrl}/console/${path}`);
  const violations = async () => {
    const found = (await page.evaluate(AXE)) as readonly Violation[];
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  };

  it('creates the account of the owner', async () => {
    await page.goto(await ownerLink(lectern));
    await (await named('textbox', 'Your name')).type('Ada');
    await (await named('textbox', 'Email')).type('ada@example.com');
    await (await wait('input[type=password]')).type(PASSWORD);
    await (await named('button', 'Create account')).click();
    await wait('::-p-text(Welcome, Ada.)');
  });

  it('answers a question, and opens the cited passage', async () => {
    await open('ask');
    await (await named('textbox', 'Your question')).type('How many days of paid leave do employees have?');
    await page.keyboard.press('Enter');
    // Until the answer is complete, each piece replaces its elements.
    await named('button', 'This answer helped');
    await (await wait('article .citation')).click();
    await wait('[role=dialog] mark');
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role=dialog]', { hidden: true });
  });

  it('finds a document while a person types', async () => {
    await open('search');
    await (await wait('input[type=search]')).type('paid lea');
    await wait('main mark');
  });

  it.each(PAGES)('shows the page %s in light and dark, on wide and narrow screens', async (path) => {
    await page.setViewport({ width: 1_440, height: 900 });
    await open(path);
    await wait('main h1');
    await until("!document.body.textContent.includes('Loading ')", `the content of the page ${path}`);
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await violations()).toEqual([]);
    }
    for (const width of WIDTHS) {
      await page.setViewport({ width, height: 900 });
      await until(`${OVERFLOW}.length === 0`, `the layout of the page ${path} at ${width} px`);
    }
    expect(await violations()).toEqual([]);
  });

  it('causes no script errors', () => {
    expect(errors).toEqual([]);
  });
});
