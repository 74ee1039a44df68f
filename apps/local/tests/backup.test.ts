import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/local-engines';
import { QdrantClient } from '@qdrant/js-client-rest';
import { type Api, createApi, type Json } from './support/api.ts';
import { type Launcher, type TestHome, testHome } from './support/start-lectern.ts';

const DOCUMENTS = 25;
const QUERIES = ['harbor winter', 'silver letter', '"forest engine"', 'report 7', ''];
const WORDS = 'river stone market window garden letter morning bridge paper winter harbor engine silver forest'.split(
  ' ',
);

let home: TestHome;
let launcher: Launcher;
let api: Api;
let archive: string;
let connectorId: string;
let before: Json;

const textOf = (index: number) =>
  Array.from({ length: 3 }, (_, part) => {
    const words = Array.from({ length: 80 }, (_, at) => WORDS[(index * 7 + part * 5 + at * at) % WORDS.length]);
    return `## Part ${part + 1}\n\nReport ${index}: ${words.join(' ')}.`;
  }).join('\n\n');

const pathOf = (file: string) => fileURLToPath(new URL(`../src/${file}`, import.meta.url));
const environment = () => ({ PATH: process.env.PATH, LECTERN_HOME: home.path });

async function command(file: string, ...args: string[]): Promise<string> {
  const options = { env: environment(), timeout: 120_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [pathOf(file), ...args], options);
  return stdout;
}

async function start(): Promise<void> {
  launcher = await home.launch();
  await launcher.ready;
  api = createApi(await home.credentials());
}

async function stop(): Promise<void> {
  launcher.signal('SIGINT');
  expect(await launcher.ended).toBe(0);
}

const searches = () =>
  Promise.all(
    QUERIES.map(async (query) => {
      const { results, facets } = await api.ok('POST', '/api/v1/search/faceted', {
        query,
        limit: 50,
        facets: ['source', 'type'],
      });
      return { results, facets };
    }),
  );

/** Returns all data that the API exposes. */
async function readAll(): Promise<Json> {
  const [collection] = await api.all('/api/v1/collections');
  const documents = await api.all(`/api/v1/collections/${collection.id}/documents`);
  const conversations = await api.all(`/api/v1/teams/${api.teamId}/conversations`);
  return {
    collection,
    connectors: await api.all('/api/v1/connectors'),
    documents: documents.map(({ indexedAt: _, ...document }) => document),
    contents: await Promise.all(documents.map(({ id }) => api.ok('GET', `/api/v1/documents/${id}/content`))),
    conversations: await Promise.all(
      conversations.map(({ id }) => api.ok('GET', `/api/v1/teams/${api.teamId}/conversations/${id}`)),
    ),
    jobs: await api.all(`/api/v1/connectors/${connectorId}/sync`),
    files: await api.all(`/api/v1/connectors/${connectorId}/files`),
    keys: (await api.all('/api/v1/api-keys')).map(({ lastUsedAt: _, ...key }) => key),
    searches: await searches(),
  };
}

describe('a backup of a running Lectern', () => {
  beforeAll(async () => {
    home = await testHome();
    archive = join(home.path, '..', 'backup.tar.gz');
    await start();
    const collection = await api.ok('POST', '/api/v1/collections', { name: 'Reports' });
    const connector = { name: 'Files', type: 'upload', collection: collection.id };
    connectorId = (await api.ok('POST', '/api/v1/connectors', connector)).id;
    const files = Array.from({ length: DOCUMENTS }, (_, index) => ({
      name: `report-${index}.md`,
      bytes: textOf(index),
    }));
    const { jobId } = await api.upload(connectorId, files);
    expect((await api.endOfJob(connectorId, jobId)).status).toBe('completed');
    const document = { title: 'Through the API', content: 'Silver letters lie in the harbor.' };
    const { id } = await api.ok('POST', `/api/v1/collections/${collection.id}/documents`, document);
    await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
    await api.ok('POST', `/api/v1/teams/${api.teamId}/chat`, { message: 'What is in the harbor?' });
    before = await readAll();
  });

  afterAll(() => home.remove());

  it('is one file, with a warning that it contains the master keys', async () => {
    expect(await command('backup/backup-command.ts', '--to', archive)).toContain('IT CONTAINS THE MASTER KEYS');
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    await expect(command('backup/backup-command.ts', '--to', archive)).rejects.toThrow(/already exists/);
    await expect(command('backup/restore-command.ts', '--from', archive)).rejects.toThrow(/already contains data/);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const to = join(home.path, '..', 'interrupted.tar');
    const args = [pathOf('backup/backup-command.ts'), '--to', to];
    const backup = spawn(process.execPath, args, { env: environment(), stdio: 'ignore' });
    const ended = once(backup, 'exit');
    await waitUntil(() => existsSync(`${to}.files`), { what: 'a running backup', timeoutMs: 60_000 });
    backup.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect((await readdir(dirname(to))).filter((name) => name.startsWith('interrupted'))).toEqual([]);
  });

  it('restores every document, conversation, key, job and search result after the folder was lost', async () => {
    await stop();
    await rm(home.path, { recursive: true });
    // The files that a killed restore leaves behind.
    for (const folder of ['restoring', 'postgres', 'blobs/half'])
      await mkdir(join(home.path, folder), { recursive: true });
    await writeFile(join(home.path, 'postgres', 'PG_VERSION'), '18\n');
    expect(await command('backup/restore-command.ts', '--from', archive)).toContain('Restored the state of');
    await start();
    expect(await readAll()).toEqual(before);
  });

  it('returns the same search results after all vectors were lost and regenerated from PostgreSQL', async () => {
    const { qdrantUrl = '', qdrantApiKey = '' } = await home.state();
    const client = new QdrantClient({
      url: qdrantUrl,
      headers: { 'api-key': qdrantApiKey },
      checkCompatibility: false,
    });
    for (const { name } of (await client.getCollections()).collections) await client.deleteCollection(name);
    expect((await searches()).flatMap(({ results }) => results)).toEqual([]);
    expect(await command('reindex.ts')).toContain('Every document is indexed');
    expect(await readAll()).toEqual(before);
  });

  it('is rejected if a file is truncated or missing, and leaves nothing behind', async () => {
    await stop();
    await rename(home.path, `${home.path}.old`);
    const folder = join(home.path, '..', 'unpacked');
    await promisify(execFile)('mkdir', [folder]);
    await promisify(execFile)('tar', ['-xf', archive, '-C', folder]);
    const [blob = ''] = (await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const bytes = await readFile(blob);
    await truncate(blob, 1);
    await expect(command('backup/restore-command.ts', '--from', folder)).rejects.toThrow(
      /damaged: it contains \d+ of \d+ bytes of blobs/,
    );
    await writeFile(blob, bytes);
    await rm(join(folder, 'postgres', 'PG_VERSION'));
    await expect(command('backup/restore-command.ts', '--from', folder)).rejects.toThrow(
      /damaged: it contains \d+ of \d+ files of postgres/,
    );
    await rm(join(folder, 'backup.json'));
    await expect(command('backup/restore-command.ts', '--from', folder)).rejects.toThrow(/not a complete backup/);
    await expect(stat(join(home.path, 'master-keys'))).rejects.toThrow(/ENOENT/);
  });
});
