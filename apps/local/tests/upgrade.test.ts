import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import type { Credentials } from '#credentials';
import { type Api, createApi, type Json } from './support/api.ts';
import { type Launcher, type TestHome, testHome } from './support/start-lectern.ts';
import type { Facts } from './upgrade/fill-home.ts';
import { factsOf, packedVersions, unpackHome } from './upgrade/packed-home.ts';

const byId = (rows: readonly Json[]): Json[] => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Picks the fields that a later version must still return unchanged. It can return more. */
const pick = (row: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

/**
 * If root starts Lectern, PostgreSQL's account cannot enter a closed folder, so the data is moved.
 */
const FOLDERS = process.getuid?.() === 0 ? (['open', 'closed'] as const) : (['closed'] as const);
const cases = (await packedVersions()).flatMap((version) => FOLDERS.map((folder) => [version, folder] as const));

describe.each(cases)('the data folder of version %s, in a folder that is %s', (version, mode) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let facts: Facts;
  let home: TestHome;
  let launcher: Launcher;
  let credentials: Credentials;
  let api: Api;

  const expectSame = (found: readonly Json[], expected: readonly Json[], ...names: readonly string[]) =>
    expect(byId(found).map((row) => pick(row, ...names))).toEqual(byId(expected).map((row) => pick(row, ...names)));

  beforeAll(async () => {
    facts = await factsOf(version);
    folder = await temporaryFolder();
    await mkdir(join(folder.path, 'closed'), { mode: 0o700 });
    home = await testHome({ root: join(folder.path, mode === 'open' ? '.' : 'closed', 'home') });
    await unpackHome(version, home.path);
    launcher = await home.launch({ LECTERN_POSTGRES_DIR: join(folder.path, 'private') });
    await launcher.ready;
    credentials = await home.credentials();
    api = createApi(credentials);
  });

  afterAll(async () => {
    await home?.remove();
    await folder.remove();
  });

  it('opens with its existing keys and prints no new ones', () => {
    expect(credentials.secretKey).toBe(facts.keys[0]?.secretKey);
    expect(launcher.output()).not.toContain('_sk_');
  });

  it('still has its collections, documents and their texts, and not the deleted one', async () => {
    const collections = await api.all('/api/v1/collections');
    expectSame(collections, facts.collections, 'id', 'name', 'description', 'documentCount', 'createdAt');
    const lists = await Promise.all(collections.map(({ id }) => api.all(`/api/v1/collections/${id}/documents`)));
    const names = ['id', 'title', 'status', 'collection', 'source', 'type', 'connector', 'externalId', 'url'];
    expectSame(lists.flat(), facts.documents, ...names, 'metadata', 'sizeBytes', 'createdAt');
    const ids = facts.contents.map(({ id }) => id);
    const contents = await Promise.all(ids.map((id) => api.ok('GET', `/api/v1/documents/${id}/content`)));
    expectSame(contents, facts.contents, 'id', 'title', 'content', 'metadata');
    expect((await api.call('GET', `/api/v1/documents/${facts.removedDocument}`)).status).toBe(404);
  });

  it('still returns a document only to its readers', async () => {
    const statuses = await Promise.all(
      facts.readers.map(({ user, document }) => api.as(user).call('GET', `/api/v1/documents/${document}`)),
    );
    expect(statuses.map(({ status }) => status)).toEqual(facts.readers.map(({ status }) => status));
  });

  it('still finds the same documents in keyword and semantic searches', async () => {
    for (const { mode, query, document } of facts.searches) {
      const { results } = await api.ok('POST', '/api/v1/search', { query, mode });
      expect([mode, query, results[0]?.documentId]).toEqual([mode, query, document]);
    }
  });

  it('still has its synonyms, and every pack that was not switched off', async () => {
    expect(await api.all('/api/v1/synonyms?source=custom')).toEqual(facts.synonyms ?? []);
    const packs = await api.ok('GET', '/api/v1/synonyms/packs');
    const off = facts.synonyms === undefined ? [] : ['workplace-de'];
    expect(packs.filter(({ enabled }: Json) => !enabled).map(({ name }: Json) => name)).toEqual(off);
  });

  it('still has every key pair with its scope, and rejects the revoked one', async () => {
    const settings = ['name', 'allow_all_collections', 'allowed_collections', 'allowed_hosts', 'allowed_referers'];
    const more = ['require_signature', 'rate_limit_per_minute', 'publishableKeyPrefix', 'secretKeyPrefix', 'createdAt'];
    expectSame(await api.all('/api/v1/api-keys'), facts.pairs, 'id', ...settings, ...more, 'revokedAt');
    for (const { secretKey, publishableKey, status, own } of facts.keys) {
      const response = await createApi({ ...credentials, secretKey }).call('GET', '/api/v1/key');
      if (status === 'active') expect(response.data).toMatchObject(own);
      else expect([response.status, response.error.code]).toEqual([401, 'invalid_key']);
      // Some pairs accept publishable keys only from certain hosts.
      const origin = `https://${own?.allow_all_collections === false ? 'example.com' : 'localhost'}`;
      const publishable = createApi({ ...credentials, secretKey: publishableKey }, { origin });
      expect((await publishable.call('GET', '/api/v1/key')).status).toBe(status === 'active' ? 200 : 401);
    }
  });

  it('still has its agent with the memories and runs, and executes it', async () => {
    const { agent } = facts;
    expect(await api.ok('GET', `/api/v1/agents/${agent.id}`)).toMatchObject(agent);
    const fields = ['id', 'kind', 'content', 'metadata', 'importance', 'proposed', 'createdAt'];
    expectSame(await api.all(`/api/v1/agents/${agent.id}/memories`), facts.memories, ...fields);
    const [found] = await api.ok('GET', `/api/v1/agents/${agent.id}/memories/search?query=short%20answers`);
    expect(found).toMatchObject({ content: 'The user prefers short answers.' });
    const runs = await Promise.all(facts.runs.map(({ id }) => api.ok('GET', `/api/v1/agents/${agent.id}/runs/${id}`)));
    expect(byId(runs)).toMatchObject(byId(facts.runs));
    const events = await api.stream(`/api/v1/agents/${agent.id}/execute/stream`, { message: 'What is 6 * 7?' });
    expect(events.at(-1)).toMatchObject({ event: 'run_complete', data: { status: 'completed' } });
  });

  it('still has its conversations with their sources, and continues one', async () => {
    const path = `/api/v1/teams/${api.teamId}`;
    const conversations = facts.conversations.map(({ id }) => api.ok('GET', `${path}/conversations/${id}`));
    expect(byId(await Promise.all(conversations))).toMatchObject(byId(facts.conversations));
    const chat = facts.conversations.find(({ agentId }) => agentId === null);
    const body = { message: 'How much leave is paid?', conversationId: chat.id };
    expect((await api.ok('POST', `${path}/chat`, body)).sources[0]).toMatchObject({ title: 'Leave' });
  });

  it('still has its connector with the files and the finished job, and accepts another file', async () => {
    const { connector } = facts;
    const shown = ['id', 'name', 'type', 'collection', 'createdAt'];
    expectSame([await api.ok('GET', `/api/v1/connectors/${connector.id}`)], [connector], ...shown);
    expect(byId(await api.all(`/api/v1/connectors/${connector.id}/sync`))).toMatchObject(byId(facts.jobs));
    const files = await api.all(`/api/v1/connectors/${connector.id}/files`);
    expect(byId(files)).toMatchObject(byId(facts.files));
    const { jobId } = await api.upload(connector.id, [{ name: 'new.txt', bytes: 'The quokka sleeps at noon.' }]);
    expect(await api.endOfJob(connector.id, jobId)).toMatchObject({ status: 'completed' });
    const { results } = await api.ok('POST', '/api/v1/search', { query: 'quokka' });
    expect(results[0]?.excerpt).toContain('quokka');
  });
});
