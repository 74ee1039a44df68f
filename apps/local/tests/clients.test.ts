import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Json } from './support/api.ts';
import { runLectern } from './support/lectern-cli.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

const FILES = {
  'hr/leave.md':
    '# Leave\n\nEveryone has thirty days of paid leave a year.\n\nUnused days end in March of the next year.\n',
  'it/laptops.md': '# Laptops\n\nA laptop is replaced every four years.\n',
  'travel.txt': 'Trains are booked in second class. Hotels may cost 120 euros a night. <img src=x onerror=alert(1)>\n',
};

let lectern: SharedLectern;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let handbook: string;
let config: Record<string, string>;
beforeAll(async () => {
  [lectern, folder] = await Promise.all([shareLectern(), temporaryFolder()]);
  handbook = join(folder.path, 'handbook');
  config = { XDG_CONFIG_HOME: join(folder.path, 'config') };
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(handbook, path)), { recursive: true });
    await writeFile(join(handbook, path), content);
  }
});
afterAll(() => folder.remove());

const cli = (...args: string[]) => runLectern(args, config);
const cliJson = async (...args: string[]): Promise<Json> => {
  const { code, stdout, stderr } = await cli(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

async function deleteCollection(id: string): Promise<void> {
  const headers = { 'X-Service-Key': lectern.credentials.secretKey };
  const url = new URL(`/api/v1/collections/${id}`, lectern.baseUrl);
  expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200);
}

describe('npx lectern', () => {
  it('asks to log in, and stores the key readable only by this user', async () => {
    const loggedOut = await cli('status');
    expect(loggedOut).toMatchObject({ code: 3, stdout: '' });
    expect(loggedOut.stderr).toContain('lectern login');
    const { baseUrl, secretKey, publishableKey } = lectern.credentials;
    const rejected = await runLectern(['login', '--url', baseUrl], config, publishableKey);
    expect(rejected.code).toBe(3);
    const wrong = await runLectern(['login', '--url', baseUrl, '--json'], config, 'nonsense');
    expect(wrong.code).toBe(3);
    expect(JSON.parse(wrong.stderr).error.code).toBe('invalid_key');
    const right = await runLectern(['login', '--url', baseUrl], config, `${secretKey}\n`);
    expect(right.code).toBe(0);
    expect(right.stdout + right.stderr).not.toContain(secretKey);
    const status = await stat(join(folder.path, 'config/lectern/credentials.json'));
    expect(status.mode & 0o777).toBe(0o600);
  });

  it('indexes a folder', async () => {
    const first = await cliJson('upload', handbook);
    expect(first.files).toEqual(Object.keys(FILES));
    expect(first.jobs).toMatchObject([{ status: 'completed', progress: { indexed: 3, failed: 0 } }]);
    // A second upload with one more file uses the same collection and connector.
    await writeFile(join(handbook, 'new.md'), '# Bicycles\n\nBicycles are leased for three years.\n');
    const second = await cli('upload', join(handbook, 'new.md'));
    expect(second.code).toBe(0);
    expect(second.stdout).toContain('completed: 1 indexed');
    const status = await cliJson('status');
    expect(status.collections).toMatchObject([{ id: first.collection, name: 'handbook', documentCount: 4 }]);
    expect(status.connectors).toMatchObject([{ id: first.connector, type: 'upload', status: 'active' }]);
  });

  it('imports, lists and exports synonyms, and switches packs', async () => {
    const file = join(folder.path, 'synonyms.txt');
    await writeFile(file, '# Team\nzorbik, paid leave\nkit => laptop\n');
    expect(await cliJson('synonyms', 'import', file)).toEqual({ created: 2, unchanged: 0, deleted: 0 });
    expect((await cli('search', 'zorbik')).stdout).toContain('synonyms: zorbik → paid leave');
    expect(await cliJson('synonyms', 'list', 'KIT', '--source', 'custom')).toMatchObject([
      { input: ['kit'], terms: ['laptop'] },
    ]);
    expect((await cli('synonyms', 'export')).stdout).toBe('zorbik, paid leave\nkit => laptop\n');
    const exported = join(folder.path, 'synonyms.json');
    expect((await cli('synonyms', 'export', exported)).stdout).toContain('Wrote 2 synonyms');
    expect(await cliJson('synonyms', 'import', exported, '--replace')).toMatchObject({ created: 0, unchanged: 2 });
    await writeFile(file, 'zorbik, quantu\nalone\n');
    const invalid = await cli('synonyms', 'import', file);
    expect(invalid).toMatchObject({ code: 1 });
    expect(invalid.stderr).toContain('line 2');
    expect((await cli('synonyms', 'disable', 'workplace-de')).stdout).toContain('is off');
    expect(await cliJson('synonyms', 'packs')).toMatchObject([{ enabled: true }, { enabled: false }]);
    expect((await cli('synonyms', 'enable', 'workplace-de')).stdout).toContain('is on');
    expect((await cli('synonyms', 'nonsense')).code).toBe(2);
  });

  it('imports, lists and exports search rules', async () => {
    const [found] = (await cliJson('search', 'leave')).results;
    const file = join(folder.path, 'rules.json');
    const rules = [{ query: 'zimbel', match: 'exact', pins: [{ documentId: found.documentId, position: 1 }] }];
    await writeFile(file, JSON.stringify(rules));
    expect(await cliJson('rules', 'import', file)).toMatchObject({ created: 1 });
    expect((await cli('search', 'zimbel')).stdout).toContain('pinned');
    expect((await cli('rules', 'list', 'ZIM')).stdout).toContain('pins 1 document');
    const exported = join(folder.path, 'rules-exported.json');
    expect((await cli('rules', 'export', exported)).stdout).toContain('Wrote 1 rule');
    expect(await cliJson('rules', 'import', exported, '--replace')).toMatchObject({ unchanged: 1, deleted: 0 });
    await writeFile(file, '{}');
    expect((await cli('rules', 'import', file)).stderr).toContain('does not contain a JSON list');
    expect((await cli('rules', 'nonsense')).code).toBe(2);
  });

  it('imports a JSON Lines file and names the lines that failed', async () => {
    const lines = Array.from({ length: 150 }, (_, at) => ({
      title: `Page ${at}`,
      content: `Page ${at}.`,
      externalId: `${at}`,
    }));
    const file = join(folder.path, 'pages.jsonl');
    const texts = lines.map((line) => JSON.stringify(line));
    await writeFile(
      file,
      [...texts.slice(0, 120), '', 'no JSON', JSON.stringify({ title: ' ', content: 'x' }), ...texts.slice(120)].join(
        '\n',
      ),
    );
    const first = await cli('import', file, '--json');
    expect(first.code).toBe(5);
    expect(JSON.parse(first.stdout)).toMatchObject({
      created: 150,
      updated: 0,
      failures: [{ line: 122 }, { line: 123 }],
    });
    await writeFile(file, texts.join('\n'));
    const second = await cliJson('import', file);
    expect(second).toMatchObject({ created: 0, updated: 150, failures: [] });
    await deleteCollection(second.collection);
    expect(await cli('import', join(folder.path, 'missing.jsonl'))).toMatchObject({ code: 1 });
  });

  it('lists, shows and deletes documents', async () => {
    const documents = await cliJson('documents', 'list', '--collection', 'handbook', '--status', 'indexed');
    const { id } = documents.find(({ title }: Json) => /bicycles/i.test(title));
    const shown = await cli('documents', 'show', id);
    expect(shown.stdout).toContain('Bicycles are leased for three years.');
    const path = join(folder.path, 'sound.wav');
    await writeFile(path, Buffer.from('RIFF\u0024\0\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0', 'latin1'));
    const skipped = await cli('upload', path, '--collection', 'Sounds');
    expect(skipped).toMatchObject({ code: 0 });
    expect(skipped.stdout).toContain('completed: 0 indexed, 1 skipped, 0 deleted, 0 failed');
    const [failed] = await cliJson('documents', 'list', '--collection', 'Sounds');
    expect((await cli('documents', 'delete', failed.id)).stdout).toBe('Deleted 1 document.\n');
    await deleteCollection(failed.collection);
    expect(await cli('documents', 'show', failed.id)).toMatchObject({ code: 1 });
    expect(await cli('documents', 'list')).toMatchObject({ code: 2 });
  });

  it('creates, lists, rotates and revokes keys', async () => {
    const created = await cliJson('keys', 'create', 'From', 'CLI', '--collection', 'handbook', '--right', 'search');
    expect(created).toMatchObject({ name: 'From CLI', allow_all_collections: false, rights: ['search'] });
    const env = { ...config, LECTERN_URL: lectern.baseUrl, LECTERN_KEY: created.secretKey };
    expect((await runLectern(['search', 'thirty days'], env)).code).toBe(0);
    expect((await runLectern(['keys', 'list'], env)).code).toBe(3);
    const rotated = await cliJson('keys', 'rotate', created.id, '--overlap', '3600');
    expect((await runLectern(['search', 'thirty days'], env)).code).toBe(0);
    expect((await cli('keys', 'list')).stdout).toMatch(/^From CLI {2}active · 1 collection · search · used /m);
    expect((await cli('keys', 'revoke', created.id)).stdout).toBe(`Revoked the keys ${created.id}.\n`);
    expect((await runLectern(['search', 'x'], { ...env, LECTERN_KEY: rotated.secretKey })).code).toBe(3);
  });

  it('lists, shows and runs agents', async () => {
    const headers = { 'X-Service-Key': lectern.credentials.secretKey, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Desk', systemPrompt: 'You answer.', tools: ['search_documents'] });
    const response = await fetch(new URL('/api/v1/agents', lectern.baseUrl), { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    expect((await cli('agents', 'list')).stdout).toContain('Desk  search_documents · ');
    expect((await cli('agents', 'show', 'Desk')).stdout).toContain('You answer.');
    const ran = await cli('agents', 'run', 'Desk', 'How many days of paid leave are there?');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('thirty days');
    expect(ran.stderr).toContain('→ search_documents');
    expect(await cli('agents', 'run', 'Unknown', 'Hi')).toMatchObject({ code: 1 });
  });

  it('searches, asks and syncs', async () => {
    const found = await cliJson('search', 'thirty', 'days', '--collection', 'handbook', '--limit', '2');
    expect(found.results[0].title).toMatch(/leave/i);
    expect((await cli('search', 'thirty days')).stdout).toContain('thirty days of paid leave');
    const reply = await runLectern(['chat'], config, 'How many days of paid leave are there?');
    expect(reply).toMatchObject({ code: 0 });
    expect(reply.stdout).toMatch(/thirty days[\s\S]*\[1\]/);
    const json = await cliJson('chat', 'How many days of paid leave are there?');
    expect(json.sources).toHaveLength(new Set(json.sources.map(({ id }: Json) => id)).size);
    const { connectors } = await cliJson('status');
    const { name } = connectors.find((connector: Json) => connector.name === 'Files of handbook');
    const synced = await cliJson('sync', name, '--watch', '--full');
    expect(synced).toMatchObject({ status: 'completed', progress: { total: 4, failed: 0 } });
  });

  it('reports errors by its exit code', async () => {
    expect(await cli()).toMatchObject({ code: 2 });
    expect(await cli('fly')).toMatchObject({ code: 2, stdout: '' });
    expect(await cli('search', 'x', '--color', 'red')).toMatchObject({ code: 2 });
    expect(await cli('upload', join(handbook, 'missing'))).toMatchObject({ code: 1 });
    expect(await cli('sync', 'nothing')).toMatchObject({ code: 1 });
    await writeFile(join(folder.path, 'broken.pdf'), '%PDF-1.7 and nothing more');
    expect(await cli('upload', join(folder.path, 'broken.pdf'), '--collection', 'handbook')).toMatchObject({ code: 5 });
    const unreachable = await runLectern(['status'], { LECTERN_URL: 'http://127.0.0.1:9', LECTERN_KEY: 'x' });
    expect(unreachable.code).toBe(4);
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

  it('lists every tool for the official client', async () => {
    const client = await connect(lectern.credentials.secretKey);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'ask',
      'fetch',
      'get_document',
      'list_collections',
      'search',
    ]);
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
    const reply = await call(client, 'ask', { question: 'How long until a laptop is replaced?' });
    expect(reply.structuredContent.answer).toMatch(/four years.*\[1\]/s);
    expect(read.structuredContent.content).toContain(reply.structuredContent.sources[0].excerpt);
    await client.close();
  });

  it('respects the scope of the key, and accepts only secret keys', async () => {
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
