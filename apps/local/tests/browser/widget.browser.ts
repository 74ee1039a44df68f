import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { startHoldingProxy } from './support/holding-proxy.ts';
import { violationsOf } from './support/violations.ts';

const TAB_MS = 120_000;

/** Markup that a page must show as text. */
const TRAVEL = 'Trains are booked in second class. Hotels may cost 120 euros a night. <img src=x onerror=alert(1)>\n';

let lectern: Lectern;

/** An expression for the content of the element in the page. */
const SHADOW = "document.querySelector('lectern-search').shadowRoot";

/** Everything that the widget shows or that a screen reader announces. */
const TEXTS = `[${SHADOW}.textContent, ...[...${SHADOW}.querySelectorAll('*')].flatMap((element) =>
  ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name)))].join(' ')`;

/** Words of the English texts that no German text contains. */
const ENGLISH =
  /\b(?:the|is|to|you|your|search|ask|asked|asking|stop|loading|results?|answer|sources?|conversation|question|key|page)\b/gi;

/** Waits for an expression in the page. The policy of the page forbids the `eval` of Playwright. */
const untilTrue = (tab: Page, expression: string) =>
  waitUntil(async () => tab.evaluate<boolean>(expression), { what: expression, timeoutMs: 10_000 });

/** Attributes of the script without `data-`, and what the page has. */
interface Site {
  readonly key: string;
  /** The language of the page. */
  readonly lang?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** The origin that serves the script and the API. */
  readonly origin?: string;
  readonly context?: BrowserContextOptions;
  /** A style sheet of the page. */
  readonly css?: string;
}

describe('the widget', () => {
  let browser: Browser;
  let site: Server;
  let page = '';
  let policy = '';
  let css = '';
  beforeAll(async () => {
    [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
    const collection = (await lectern.api.ok('POST', '/api/v1/collections', { name: 'Handbook' })).id;
    const document = { title: 'Travel', content: TRAVEL, url: 'https://www.example.com/travel' };
    const { id } = await lectern.api.ok('POST', `/api/v1/collections/${collection}/documents`, document);
    await lectern.api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
    site = createServer(({ url }, response) => {
      if (url === '/site.css') {
        response.setHeader('Content-Type', 'text/css');
        response.end(css);
        return;
      }
      response.setHeader('Content-Security-Policy', policy);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(page);
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
  });
  afterAll(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
    await lectern?.stop();
  });

  const open = async ({
    key,
    lang = 'en',
    attributes = {},
    origin = new URL(lectern.baseUrl).origin,
    ...rest
  }: Site) => {
    const { context } = rest;
    css = rest.css ?? '';
    // A strict policy, like in docs/widget.md. With Trusted Types, no text can become markup.
    policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'`;
    if (css !== '') policy += "; style-src 'self'";
    const data = Object.entries({ key, label: 'Search the handbook', ...attributes });
    const link = css === '' ? '' : '<link rel="stylesheet" href="/site.css">';
    page = `<!doctype html><html lang="${lang}"><meta name="viewport" content="width=device-width"><title>Site</title>${link}<main><h1>Site</h1><script src="${origin}/widget.js" ${data.map(([name, value]) => `data-${name}="${value}"`).join(' ')} async></script></main>`;
    const tab = await browser.newPage(context);
    tab.setDefaultTimeout(TAB_MS);
    const faults: string[] = [];
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (message) => {
      if (/security policy|trusted/i.test(message.text())) faults.push(message.text());
    });
    tab.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    return { tab, faults };
  };

  const createToken = async (rights: readonly string[] = ['search', 'chat']): Promise<string> =>
    (await lectern.api.ok('POST', '/api/v1/user-tokens', { user: 'ada@example.com', rights })).token;
  const ask = async (tab: Page, question: string) => {
    await tab.getByRole('textbox', { name: 'Ask a question' }).fill(question);
    await tab.keyboard.press('Enter');
  };
  const isComplete = (tab: Page) => tab.getByRole('status').filter({ hasText: 'The answer is complete' }).waitFor();

  it('searches from another origin with the keyboard, and highlights matches', async () => {
    const { tab, faults } = await open({ key: lectern.credentials.publishableKey });
    const box = tab.getByRole('combobox', { name: 'Search the handbook' });
    await box.fill('hotels cost');
    const option = tab.getByRole('option').first();
    await option.waitFor();
    expect(await option.textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await option.locator('mark').allTextContents()).toContain('Hotels');
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await box.press('ArrowDown');
    expect(await option.getAttribute('aria-selected')).toBe('true');
    expect(await box.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await tab.evaluate(
      "document.addEventListener('lectern-select', (event) => { event.preventDefault(); document.title = event.detail.documentId; })",
    );
    await box.press('Enter');
    expect(await tab.title()).toMatch(/^doc_/);
    expect(await violationsOf(tab)).toEqual([]);
    await box.press('Escape');
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    expect(faults).toEqual([]);
    await tab.close();
  });

  it('shows an error on pages that are not allowed to search, and never sends a secret key', async () => {
    const pair = await lectern.api.ok('POST', '/api/v1/api-keys', { name: 'Site', allowed_hosts: ['www.example.com'] });
    const elsewhere = await open({ key: pair.publishableKey });
    await elsewhere.tab.getByRole('combobox').fill('laptop');
    await elsewhere.tab.getByText('not reachable from this page').waitFor();
    await elsewhere.tab.close();
    const { tab } = await open({ key: lectern.credentials.secretKey });
    const sent: string[] = [];
    tab.on('request', (request) => void sent.push(request.url()));
    await tab.getByRole('combobox').fill('laptop');
    await tab.getByText('secret key must never').waitFor();
    expect(sent).toEqual([]);
    await tab.close();
  });

  it('loads only the search box on pages that only search', async () => {
    const { tab } = await open({ key: lectern.credentials.publishableKey });
    await tab.getByRole('combobox').waitFor();
    const loaded = await tab.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
    );
    expect(loaded).toEqual(['/widget.js']);
    await tab.close();
  });

  it('answers with the keyboard alone, with citations, sources and a follow-up question', async () => {
    const { tab, faults } = await open({ key: await createToken(), attributes: { modes: 'search ask' } });
    await tab.getByRole('combobox').waitFor();
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    const field = tab.getByRole('textbox', { name: 'Ask a question' });
    await field.waitFor();
    expect(await tab.getByRole('button', { name: 'Ask', pressed: true }).count()).toBe(1);
    expect(await tab.getByRole('combobox').isVisible()).toBe(false);
    await tab.keyboard.press('Tab');
    await tab.keyboard.type('What may hotels cost a night?');
    await tab.keyboard.press('Enter');
    await isComplete(tab);
    const answer = tab.getByRole('article', { name: 'Answer' }).first();
    expect(await answer.textContent()).toContain('120 euros');
    const source = tab.getByRole('list', { name: 'Sources' }).getByRole('link', { name: 'Travel' });
    expect(await source.getAttribute('href')).toBe('https://www.example.com/travel');
    expect(await source.getAttribute('rel')).toContain('noreferrer');
    await answer.getByRole('button', { name: 'Source 1: Travel' }).first().focus();
    await tab.keyboard.press('Enter');
    expect(await tab.evaluate(`${SHADOW}.activeElement.textContent`)).toBe('Travel');
    expect(await violationsOf(tab)).toEqual([]);

    const sent: unknown[] = [];
    tab.on('request', (request) => void (request.method() === 'POST' && sent.push(request.postDataJSON())));
    await field.focus();
    await tab.keyboard.type('Which class are trains booked in?');
    await tab.keyboard.press('Enter');
    await tab.getByRole('article', { name: 'Answer' }).nth(1).getByText('second class').first().waitFor();
    await isComplete(tab);
    expect(sent).toEqual([
      { message: 'Which class are trains booked in?', conversationId: expect.stringMatching(/^conv_/) },
    ]);
    expect(faults).toEqual([]);
    await tab.close();
  });

  it('shows markup in documents as text', async () => {
    const { tab, faults } = await open({ key: await createToken(), attributes: { modes: 'ask' } });
    await ask(tab, 'What may hotels cost a night?');
    await isComplete(tab);
    const answer = tab.getByRole('article', { name: 'Answer' });
    expect(await answer.textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await answer.locator('img').count()).toBe(0);
    expect(faults).toEqual([]);
    await tab.close();
  });

  it('shows a note if the documents have no answer', async () => {
    const { tab } = await open({ key: await createToken(), attributes: { modes: 'ask' } });
    await ask(tab, 'Who won the chess championship in 1972?');
    await isComplete(tab);
    await tab.getByText('do not answer this question').waitFor();
    await tab.close();
  });

  it('stops an answer with Escape and with the button, and can ask again', async () => {
    const proxy = await startHoldingProxy(lectern.baseUrl);
    proxy.hold();
    const { tab, faults } = await open({
      key: await createToken(),
      attributes: { modes: 'ask' },
      origin: proxy.origin,
    });
    const stopped = tab.getByText('The answer was stopped.');
    await ask(tab, 'What may hotels cost a night?');
    await tab.getByRole('status').filter({ hasText: 'Answering…' }).waitFor();
    const text = tab.getByRole('article', { name: 'Answer' }).locator('.text');
    await untilTrue(tab, `${SHADOW}.querySelector('.text').textContent !== ''`);
    await tab.keyboard.press('Escape');
    await stopped.waitFor();
    expect(await text.textContent()).not.toBe('');
    await ask(tab, 'What may hotels cost a night?');
    const button = tab.getByRole('button', { name: 'Stop' });
    await button.focus();
    await tab.keyboard.press('Enter');
    await stopped.waitFor();
    expect(await button.isVisible()).toBe(false);
    expect(await tab.evaluate(`${SHADOW}.activeElement.id`)).toBe('question');
    await waitUntil(() => proxy.cancelled === 2, { what: 'both streams end', timeoutMs: 5_000 });
    expect(faults).toEqual([]);
    await tab.close();
    proxy.stop();
  });

  it('continues the conversation with a new token when the old one stops working', async () => {
    const pair = await lectern.api.ok('POST', '/api/v1/api-keys', { name: 'Site', allow_all_collections: true });
    const response = await fetch(new URL('/api/v1/user-tokens', lectern.baseUrl), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${pair.secretKey}` },
      body: JSON.stringify({ user: 'ada@example.com', rights: ['search', 'chat'] }),
    });
    const { data } = (await response.json()) as { data: { token: string } };
    const { tab } = await open({ key: data.token, attributes: { modes: 'ask' } });
    await ask(tab, 'What may hotels cost a night?');
    await isComplete(tab);
    await lectern.api.ok('DELETE', `/api/v1/api-keys/${pair.id}`);
    await waitUntil(
      async () => {
        const headers = { 'X-Service-Key': data.token };
        return (await fetch(new URL('/api/v1/key', lectern.baseUrl), { headers })).status === 401;
      },
      { what: 'the token stops working', timeoutMs: 10_000 },
    );
    await tab.evaluate(`document.addEventListener('lectern-token-expired', ({ target }) => {
      document.title += ' expired';
      target.setAttribute('key', ${JSON.stringify(await createToken())});
    })`);
    await ask(tab, 'Which class are trains booked in?');
    await tab.getByRole('article', { name: 'Answer' }).nth(1).getByText('second class').first().waitFor();
    await isComplete(tab);
    expect(await tab.title()).toBe('Site expired');
    expect(await tab.getByRole('article', { name: 'Answer' }).count()).toBe(2);
    await tab.close();
  });

  it('repeats a question only once if the new token does not work either', async () => {
    const { tab } = await open({ key: 'lectern_ut_unknown', attributes: { modes: 'ask' } });
    await tab.getByRole('textbox').waitFor();
    await tab.evaluate(`document.addEventListener('lectern-token-expired', ({ target }) => {
      document.title += ' expired';
      target.setAttribute('key', target.getAttribute('key') + 'x');
    })`);
    await ask(tab, 'What may hotels cost a night?');
    await untilTrue(tab, "document.title === 'Site expired expired'");
    await tab.getByText('Your access has expired').waitFor();
    expect(await tab.getByRole('textbox').inputValue()).toBe('What may hotels cost a night?');
    await tab.close();
  });

  it('explains why a key cannot ask, and sends nothing', async () => {
    for (const [key, message] of [
      [lectern.credentials.publishableKey, 'Only signed-in visitors can ask'],
      [lectern.credentials.secretKey, 'secret key must never'],
    ] as const) {
      const { tab } = await open({ key, attributes: { modes: 'ask' } });
      await tab.getByText(message).waitFor();
      const sent: string[] = [];
      tab.on('request', (request) => void sent.push(request.url()));
      await ask(tab, 'What may hotels cost a night?');
      await tab.getByText(message).waitFor();
      expect(sent).toEqual([]);
      await tab.close();
    }
    const { tab } = await open({ key: await createToken(['search']), attributes: { modes: 'ask' } });
    await ask(tab, 'What may hotels cost a night?');
    await tab.getByText('Asking is not allowed on this page').waitFor();
    await tab.close();
  });

  it.each(['light', 'dark'])('is accessible in %s colors, also on a phone', async (theme) => {
    const context = { viewport: { width: 390, height: 844 } };
    const { tab } = await open({ key: await createToken(), attributes: { modes: 'ask search', theme }, context });
    await ask(tab, 'What may hotels cost a night?');
    await isComplete(tab);
    expect(await violationsOf(tab)).toEqual([]);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await tab.getByRole('button', { name: 'Search' }).click();
    await tab.getByRole('combobox').fill('hotels cost');
    await tab.getByRole('option').first().waitFor();
    expect(await violationsOf(tab)).toEqual([]);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await tab.close();
  });

  it('searches and answers in German on a German page', async () => {
    const { id } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Handbuch' });
    const document = { title: 'Reisen', content: 'Hotels dürfen 120 Euro pro Nacht kosten.' };
    const created = await lectern.api.ok('POST', `/api/v1/collections/${id}/documents`, document);
    await lectern.api.until(`/api/v1/documents/${created.id}`, ({ status }) => status === 'indexed');
    const attributes = { modes: 'search ask', label: '', collections: id };
    const { tab, faults } = await open({ key: await createToken(), lang: 'de', attributes });
    const status = (text: string) => tab.getByRole('status').filter({ hasText: text }).waitFor();
    const check = async () => {
      expect((await tab.evaluate<string>(TEXTS)).match(ENGLISH)).toBeNull();
      expect(await violationsOf(tab)).toEqual([]);
    };

    const field = tab.getByRole('combobox', { name: 'Suche' });
    await field.waitFor();
    expect(await tab.evaluate(`${SHADOW}.firstElementChild.lang`)).toBe('de');
    await check();
    await field.fill('hotels');
    await status('1 Ergebnis.');
    await check();
    await field.fill('zzzzzz');
    await status('Keine Ergebnisse.');
    await check();

    await tab.getByRole('button', { name: 'Fragen' }).click();
    const question = tab.getByRole('textbox', { name: 'Frage stellen' });
    await question.fill('Was dürfen Hotels pro Nacht kosten?');
    await tab.keyboard.press('Enter');
    await status('Die Antwort ist fertig und nennt 1 Quelle.');
    await tab.getByRole('button', { name: 'Quelle 1: Reisen' }).first().waitFor();
    await check();
    await question.fill('Wer war 1972 Weltmeister im Schach?');
    await tab.keyboard.press('Enter');
    await tab.getByText('beantworten diese Frage nicht').waitFor();
    await status('Die Antwort ist fertig');
    await check();

    await tab.evaluate("document.querySelector('lectern-search').setAttribute('key', 'lectern_ut_unknown')");
    await question.fill('Was dürfen Hotels pro Nacht kosten?');
    await tab.keyboard.press('Enter');
    await status('Ihr Zugang ist abgelaufen.');
    await check();
    await tab.getByRole('button', { name: 'Suchen' }).click();
    await field.fill('hotels');
    await status('Der Schlüssel ist ungültig oder abgelaufen.');
    await check();
    expect(faults).toEqual([]);
    await tab.close();
  });

  it('has the language of the attribute, the page or the browser, in this order', async () => {
    const key = lectern.credentials.publishableKey;
    for (const [attribute, lang, locale, expected] of [
      ['en', 'de', 'de-DE', 'Search'],
      ['', 'de-AT', 'en-US', 'Suche'],
      ['fr', 'en', 'de-DE', 'Search'],
      ['', 'fr', 'de-DE', 'Suche'],
      ['', '', 'de-DE', 'Suche'],
      ['', '', 'fr-FR', 'Search'],
    ] as const) {
      const attributes = { label: '', language: attribute };
      const { tab } = await open({ key, lang, attributes, context: { locale } });
      await tab.getByRole('combobox', { name: expected, exact: true }).waitFor();
      await tab.close();
    }
    const { tab } = await open({ key, attributes: { label: '' } });
    await tab.getByRole('combobox', { name: 'Search', exact: true }).waitFor();
    await tab.evaluate("document.querySelector('lectern-search').setAttribute('language', 'de')");
    await tab.getByRole('combobox', { name: 'Suche', exact: true }).waitFor();
    expect(await tab.evaluate(`${SHADOW}.firstElementChild.lang`)).toBe('de');
    await tab.close();
  });

  it('has the colors of the page, and follows them', async () => {
    const SCHEME = `${SHADOW}.querySelector('.widget').dataset.scheme`;
    const scheme = (tab: Page) => tab.evaluate<string>(SCHEME);
    const key = lectern.credentials.publishableKey;
    const context: BrowserContextOptions = { colorScheme: 'dark' };
    const css =
      'html { background: white } html.dark { background: oklch(0.2 0.02 250) } html.own { color-scheme: dark }';
    const { tab } = await open({ key, css, context });
    await tab.getByRole('combobox').waitFor();
    expect(await scheme(tab)).toBe('light');
    for (const [name, expected] of [
      ['dark', 'dark'],
      ['', 'light'],
      ['own', 'page'],
    ] as const) {
      await tab.evaluate(`document.documentElement.className = '${name}'`);
      await untilTrue(tab, `${SCHEME} === '${expected}'`);
    }
    await tab.evaluate("document.querySelector('lectern-search').setAttribute('theme', 'light')");
    await untilTrue(tab, `${SCHEME} === 'light'`);
    await tab.close();
    const plain = await open({ key, context });
    await plain.tab.getByRole('combobox').waitFor();
    expect(await scheme(plain.tab)).toBe('system');
    await plain.tab.close();
  });
});
