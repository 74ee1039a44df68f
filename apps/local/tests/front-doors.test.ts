import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import axe from 'axe-core';
import { type Browser, chromium } from 'playwright-core';
import type { Json } from './support/api.ts';
import { runLectern } from './support/lectern-cli.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const TAB_MS = 20_000;

const FILES = {
  'hr/leave.md':
    '# Leave\n\nEveryone has thirty days of paid leave a year.\n\nUnused days end in March of the next year.\n',
  'it/laptops.md': '# Laptops\n\nA laptop is replaced every four years.\n',
  'travel.txt': 'Trains are booked in second class. Hotels may cost 120 euros a night. <img src=x onerror=alert(1)>\n',
};

let lectern: Lectern;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let handbook: string;
let config: Record<string, string>;
beforeAll(async () => {
  [lectern, folder] = await Promise.all([startLectern(), temporaryFolder()]);
  handbook = join(folder.path, 'handbook');
  config = { XDG_CONFIG_HOME: join(folder.path, 'config') };
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(handbook, path)), { recursive: true });
    await writeFile(join(handbook, path), content);
  }
});
afterAll(async () => {
  await lectern.stop();
  await folder.remove();
});

const cli = (...args: string[]) => runLectern(args, config);
const cliJson = async (...args: string[]): Promise<Json> => {
  const { code, stdout, stderr } = await cli(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe('npx lectern', () => {
  it('asks to log in, and keeps the key for this user alone', async () => {
    const stranger = await cli('status');
    expect(stranger).toMatchObject({ code: 3, stdout: '' });
    expect(stranger.stderr).toContain('lectern login');
    const { baseUrl, secretKey, publishableKey } = lectern.credentials;
    const refused = await runLectern(['login', '--url', baseUrl], config, publishableKey);
    expect(refused.code).toBe(3);
    const wrong = await runLectern(['login', '--url', baseUrl, '--json'], config, 'nonsense');
    expect(wrong.code).toBe(3);
    expect(JSON.parse(wrong.stderr).error.code).toBe('invalid_key');
    const right = await runLectern(['login', '--url', baseUrl], config, `${secretKey}\n`);
    expect(right.code).toBe(0);
    expect(right.stdout + right.stderr).not.toContain(secretKey);
    const kept = await stat(join(folder.path, 'config/lectern/credentials.json'));
    expect(kept.mode & 0o777).toBe(0o600);
  });

  it('makes a first index of a folder', async () => {
    const first = await cliJson('upload', handbook);
    expect(first.files).toEqual(Object.keys(FILES));
    expect(first.jobs).toMatchObject([{ status: 'completed', progress: { indexed: 3, failed: 0 } }]);
    // Again, with one more: the same collection and connector.
    await writeFile(join(handbook, 'new.md'), '# Bicycles\n\nBicycles are leased for three years.\n');
    const second = await cli('upload', join(handbook, 'new.md'));
    expect(second.code).toBe(0);
    expect(second.stdout).toContain('completed: 1 indexed');
    const status = await cliJson('status');
    expect(status.collections).toMatchObject([{ id: first.collection, name: 'handbook', documentCount: 4 }]);
    expect(status.connectors).toMatchObject([{ id: first.connector, type: 'upload', status: 'active' }]);
  });

  it('searches, asks and syncs', async () => {
    const found = await cliJson('search', 'thirty', 'days', '--collection', 'handbook', '--limit', '2');
    expect(found.results[0].title).toMatch(/leave/i);
    expect((await cli('search', 'thirty days')).stdout).toContain('thirty days of paid leave');
    const asked = await runLectern(['chat'], config, 'How many days of paid leave are there?');
    expect(asked).toMatchObject({ code: 0 });
    expect(asked.stdout).toMatch(/thirty days[\s\S]*\[1\]/);
    const answered = await cliJson('chat', 'How many days of paid leave are there?');
    expect(answered.sources).toHaveLength(new Set(answered.sources.map(({ id }: Json) => id)).size);
    const { connectors } = await cliJson('status');
    const synced = await cliJson('sync', connectors[0].name, '--watch', '--full');
    expect(synced).toMatchObject({ status: 'completed', progress: { total: 4, failed: 0 } });
  });

  it('says by its exit code what went wrong', async () => {
    expect(await cli()).toMatchObject({ code: 2 });
    expect(await cli('fly')).toMatchObject({ code: 2, stdout: '' });
    expect(await cli('search', 'x', '--colour', 'red')).toMatchObject({ code: 2 });
    expect(await cli('upload', join(handbook, 'missing'))).toMatchObject({ code: 1 });
    expect(await cli('sync', 'nothing')).toMatchObject({ code: 1 });
    await writeFile(join(folder.path, 'broken.pdf'), '%PDF-1.7 and nothing more');
    expect(await cli('upload', join(folder.path, 'broken.pdf'), '--collection', 'handbook')).toMatchObject({ code: 5 });
    const away = await runLectern(['status'], { LECTERN_URL: 'http://127.0.0.1:9', LECTERN_KEY: 'x' });
    expect(away.code).toBe(4);
  });
});

describe('/mcp', () => {
  const connect = async (key: string): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', lectern.baseUrl), { requestInit }));
    return client;
  };
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Json> =>
    client.callTool({ name, arguments: args });

  it('gives the official client every tool', async () => {
    const client = await connect(lectern.credentials.secretKey);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['ask', 'get_document', 'list_collections', 'search']);
    const { collections } = (await call(client, 'list_collections')).structuredContent;
    expect(collections).toMatchObject([{ name: 'handbook' }]);
    const found = await call(client, 'search', {
      query: 'How long until a laptop is replaced?',
      collections: [collections[0].id],
    });
    const [best] = found.structuredContent.results;
    expect(best.passages[0].text).toContain('four years');
    const read = await call(client, 'get_document', { id: best.documentId });
    expect(read.structuredContent.content).toContain('A laptop is replaced every four years.');
    const asked = await call(client, 'ask', { question: 'How long until a laptop is replaced?' });
    expect(asked.structuredContent.answer).toMatch(/four years.*\[1\]/s);
    expect(read.structuredContent.content).toContain(asked.structuredContent.sources[0].excerpt);
    await client.close();
  });

  it('keeps to the scope of the key, and takes secret keys alone', async () => {
    const body = { name: 'Nothing', allow_all_collections: false, allowed_collections: [] };
    const pair = await lectern.api.ok('POST', '/api/v1/api-keys', body);
    const client = await connect(pair.secretKey);
    expect((await call(client, 'list_collections')).structuredContent.collections).toEqual([]);
    expect((await call(client, 'search', { query: 'leave' })).structuredContent.results).toEqual([]);
    await client.close();
    await expect(connect(pair.publishableKey)).rejects.toThrow();
    await expect(connect('nonsense')).rejects.toThrow();
  });
});

describe('the widget', () => {
  let browser: Browser;
  let site: Server;
  let page = '';
  beforeAll(async () => {
    site = createServer((_request, response) => {
      const { origin } = new URL(lectern.baseUrl);
      // A strict policy of the site, as docs/widget.md has it.
      response.setHeader('Content-Security-Policy', `default-src 'none'; script-src ${origin}; connect-src ${origin}`);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(page);
    });
    await new Promise<void>((settle) => site.listen(0, '127.0.0.1', settle));
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    site.closeAllConnections();
    site.close();
  });

  const open = async (key: string) => {
    page = `<!doctype html><html lang="en"><title>Site</title><main><h1>Site</h1><script src="${lectern.baseUrl}/widget.js" data-key="${key}" data-label="Search the handbook" async></script></main>`;
    const tab = await browser.newPage();
    tab.setDefaultTimeout(TAB_MS);
    const faults: string[] = [];
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    return { tab, faults };
  };

  it('searches from a page of another origin, by keyboard, and marks what matched', async () => {
    const { tab, faults } = await open(lectern.credentials.publishableKey);
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
      "document.addEventListener('lectern-select', (event) => { document.title = event.detail.documentId; })",
    );
    await box.press('Enter');
    expect(await tab.title()).toMatch(/^doc_/);
    await tab.evaluate(axe.source);
    const { violations }: Json = await tab.evaluate('axe.run()');
    expect(violations.map(({ id }: Json) => id)).toEqual([]);
    await box.press('Escape');
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    expect(faults).toEqual([]);
    await tab.close();
  });

  it('tells visitors when the page may not search, and never sends a secret key', async () => {
    const pair = await lectern.api.ok('POST', '/api/v1/api-keys', { name: 'Site', allowed_hosts: ['www.example.com'] });
    const elsewhere = await open(pair.publishableKey);
    await elsewhere.tab.getByRole('combobox').fill('laptop');
    await elsewhere.tab.getByText('cannot be reached from this page').waitFor();
    await elsewhere.tab.close();
    const { tab } = await open(lectern.credentials.secretKey);
    const sent: string[] = [];
    tab.on('request', (request) => void sent.push(request.url()));
    await tab.getByRole('combobox').fill('laptop');
    await tab.getByText('secret key must never').waitFor();
    expect(sent).toEqual([]);
    await tab.close();
  });
});
