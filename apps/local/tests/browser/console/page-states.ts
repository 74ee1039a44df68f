import { expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { type ConsolePage, openPage } from '../support/open-page.ts';
import { button, openKeyForm, type Stage } from './stage.ts';

/** Every page with its loading and empty texts. Pages of a record show the first record of the API. */
const PAGES = [
  { name: 'overview', path: 'overview', awaits: 'the overview', empty: 'Set up Lectern' },
  { name: 'search', path: 'search', awaits: 'results', empty: 'No documents yet' },
  { name: 'chat', path: 'chat', awaits: 'your questions', empty: 'Your questions will appear here.' },
  { name: 'agents', path: 'agents', awaits: 'agents', empty: 'No agents yet' },
  { name: 'an agent', path: 'agents', of: '/api/v1/agents', awaits: 'the agent' },
  { name: 'collections', path: 'collections', awaits: 'collections', empty: 'No collections yet' },
  { name: 'a collection', path: 'collections', of: '/api/v1/collections', awaits: 'the collection' },
  { name: 'connectors', path: 'connectors', awaits: 'connectors', empty: 'No connectors yet' },
  { name: 'a connector', path: 'connectors', of: '/api/v1/connectors', awaits: 'the connector' },
  { name: 'search rules', path: 'search-rules', awaits: 'search rules', empty: 'No search rules yet' },
  { name: 'synonyms', path: 'synonyms', awaits: 'synonyms', empty: 'No synonyms yet' },
  { name: 'test cases', path: 'test-cases', awaits: 'test runs', empty: 'No results yet' },
  { name: 'questions', path: 'questions', awaits: 'questions', empty: 'No open questions' },
  {
    name: 'search insights',
    path: 'search-insights',
    awaits: 'search analytics',
    empty: 'No searches in this period',
  },
  { name: 'models', path: 'models', awaits: 'models' },
  { name: 'keys', path: 'keys', awaits: 'keys' },
  { name: 'webhooks', path: 'webhooks', awaits: 'webhooks', empty: 'No webhooks yet' },
  { name: 'usage', path: 'usage', awaits: 'usage data' },
  { name: 'audit', path: 'audit', awaits: 'the audit log' },
] as const;

/** Pages whose pictures no other test takes. */
const LISTS = ['agents', 'collections', 'connectors', 'audit'];

/** Pages that do not call the API. */
const STATIC_PAGES = ['connectors/new', 'no-such-page'];

const FAILURE = {
  status: 500,
  headers: { 'content-type': 'application/json', 'x-request-id': 'req_test' },
  body: JSON.stringify({
    error: { code: 'internal_error', message: 'Something went wrong.' },
    meta: { requestId: 'req_test', timestamp: '2026-01-01T00:00:00.000Z' },
  }),
};

/** Tests every page in its empty, loading, error and complete state, in light and dark mode, and on a phone. */
export function walkStates(stage: () => Stage): void {
  const addressOf = async (entry: (typeof PAGES)[number]): Promise<string> => {
    const { lectern } = stage();
    if (!('of' in entry)) return `${lectern.baseUrl}/console/${entry.path}`;
    const [first] = await lectern.api.all(entry.of);
    return `${lectern.baseUrl}/console/${entry.path}/${first.id}`;
  };
  // One window for each key: a new window would load and compile all scripts again.
  const windows = new Map<string, ConsolePage>();
  const windowOf = async (key: string): Promise<ConsolePage> => {
    const { browser, lectern } = stage();
    const opened = windows.get(key) ?? (await openPage(browser, lectern.baseUrl, { key }));
    windows.set(key, opened);
    await opened.page.setViewportSize({ width: 1_280, height: 820 });
    await opened.page.emulateMedia({ colorScheme: 'light' });
    return opened;
  };
  const settled = async ({ page }: ConsolePage) => {
    await page.getByRole('main').getByRole('heading').first().waitFor();
    const loading = page.getByText(/^Loading /);
    await loading.first().waitFor({ state: 'detached' });
  };
  /** Checks the content in light mode, and in dark mode on a phone. */
  const expectReadable = async (opened: ConsolePage, name: string) => {
    const { page } = opened;
    await settled(opened);
    expect(await opened.violations()).toEqual([]);
    if (LISTS.includes(name)) {
      // Without the parts that the failures above have left out.
      await page.reload();
      await settled(opened);
      await opened.picture(name);
    }
    await page.setViewportSize({ width: 768, height: 900 });
    expect(await opened.overflow()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await settled(opened);
    expect(await opened.overflow()).toEqual([]);
    expect(await opened.violations()).toEqual([]);
    if (['search', 'chat'].includes(name)) await opened.picture(`phone-${name}`);
    expect([...opened.foreignRequests, ...opened.errors]).toEqual([]);
  };
  const isOwnKey = (url: URL) => url.pathname === '/api/v1/key';
  const isApi = (url: URL) => url.pathname.startsWith('/api/') && !isOwnKey(url);

  it.each(PAGES.filter((entry) => 'empty' in entry))('shows its empty state: $name', async (entry) => {
    const opened = await windowOf(stage().emptyKey);
    await opened.page.goto(await addressOf(entry));
    await opened.page.getByText('empty' in entry ? entry.empty : '').waitFor();
    expect(await opened.violations()).toEqual([]);
  });

  it.each(PAGES)('shows its loading state, its error state, and its readable content: $name', async (entry) => {
    const opened = await windowOf(stage().lectern.credentials.secretKey);
    const { page } = opened;
    const pending: Route[] = [];
    let api: 'waits' | 'fails' | 'answers' = 'waits';
    await page.route(isApi, async (route) => {
      if (api === 'waits') pending.push(route);
      else if (api === 'fails') await route.fulfill(FAILURE);
      else await route.continue();
    });
    await page.goto(await addressOf(entry));
    await page.getByRole('status').getByText(`Loading ${entry.awaits}…`).waitFor();
    api = 'fails';
    await Promise.all(pending.map((route) => route.fulfill(FAILURE)));
    const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong.' }).first();
    await alert.getByText('req_test').waitFor();
    expect(await opened.violations()).toEqual([]);
    api = 'answers';
    // Each part of a page has its own. One can load what another one needs, so all are clicked at once.
    await button(page, 'Try again').evaluateAll((retries: { click(): void }[]) => {
      for (const retry of retries) retry.click();
    });
    await alert.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectReadable(opened, entry.name);
    await page.unroute(isApi);
  });

  it.each(STATIC_PAGES)('is readable in light mode, in dark mode and on a phone: %s', async (path) => {
    const opened = await windowOf(stage().lectern.credentials.secretKey);
    await opened.page.goto(`${stage().lectern.baseUrl}/console/${path}`);
    await expectReadable(opened, path);
  });

  it('explains to a restricted key what it cannot do', async () => {
    const { browser, lectern } = stage();
    const pair = { name: 'Narrow', allow_all_collections: false, allowed_collections: [] };
    const { secretKey } = await lectern.api.ok('POST', '/api/v1/api-keys', pair);
    const opened = await openPage(browser, lectern.baseUrl, { key: secretKey });
    for (const [path, text] of [
      ['keys', 'This key cannot manage keys'],
      ['models', 'This key cannot change models'],
      ['audit', 'This key cannot read the audit log'],
      ['usage', 'This key cannot read usage data'],
    ] as const) {
      await opened.page.goto(`${lectern.baseUrl}/console/${path}`);
      await opened.page.getByText(text).waitFor();
    }
    await opened.page.goto(`${lectern.baseUrl}/console/collections`);
    await opened.page.getByText('No collections yet').waitFor();
    expect(await button(opened.page, 'New collection').count()).toBe(0);
    await opened.close();
  });

  it('asks for a key again when the current one is revoked', async () => {
    const { browser, lectern } = stage();
    const { id, secretKey } = await lectern.api.ok('POST', '/api/v1/api-keys', { name: 'Short-lived' });
    const opened = await openPage(browser, lectern.baseUrl);
    const { page } = opened;
    await page.goto(`${lectern.baseUrl}/console/agents`);
    await (await openKeyForm(page)).fill(secretKey);
    await button(page, 'Sign in with key').click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await lectern.api.ok('DELETE', `/api/v1/api-keys/${id}`);
    // A revocation takes effect within seconds: until then the page works.
    for (const path of ['Collections', 'Connectors', 'Search', 'Agents', 'Collections', 'Connectors', 'Search']) {
      const link = page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name: path, exact: true });
      const signIn = page.getByRole('heading', { name: 'Sign in to Lectern' });
      if (await signIn.isVisible()) break;
      await link.click();
      await signIn.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await page
      .getByText(/invalid|revoked|not valid/i)
      .first()
      .waitFor();
    expect(await page.evaluate("sessionStorage['lectern.key'] ?? null")).toBeNull();
    await opened.close();
  });
}
