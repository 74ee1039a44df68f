import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectorTypes } from '@lectern/connectors';
import { createLogger } from '@lectern/service-kit';
import { createCaller, timeLimit, waitUntil } from '@lectern/testing';
import { readConfig } from '#config';
import { startConnector } from '#server';
import { type ConnectorClient, createConnectorClient, newCollection } from './support/connector-client.ts';
import { createGuardedSource } from './support/guarded-source.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const source = createGuardedSource();
let system: TestSystem;
let client: ConnectorClient;
let collectionId: string;

beforeAll(async () => {
  system = await startSystem({
    overrides: { types: [...connectorTypes, source.type] },
  });
});
afterAll(() => system.stop());
beforeEach(() => {
  client = system.clientOf(createCaller());
  collectionId = newCollection(system.collection.collections);
  source.reset();
});

const credentials = { user: 'reader', password: 'marked-password' };
const create = (fields: { config?: object; credentials?: object } = {}) =>
  client.connectors.createConnector(
    { name: 'Guarded', type: 'guarded', collectionId, config: { host: 'db.test' }, credentials, ...fields },
    client.as(),
  );
const update = (id: string, fields: { config?: object; credentials?: object }) =>
  client.connectors.updateConnector({ id, ...fields }, client.as());
const test = (id: string) => client.connectors.testConnector({ id }, client.as());
const issuesOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: { details?: { issues?: { path: string }[] } }) => error.details?.issues?.map(({ path }) => path),
  );

describe('credentials', () => {
  it('are passed to the source and never appear in plaintext in a response or column', async () => {
    const created = await create();
    expect(JSON.stringify(created)).not.toContain('marked-password');
    expect(await test(created.id)).toMatchObject({ success: true });
    expect(source.opened.at(-1)).toEqual({ config: { host: 'db.test' }, credentials });
    const rows = await system.rows('SELECT * FROM connector.connector_secrets WHERE connector_id = $1', created.id);
    const [row] = rows as [{ sealed: Uint8Array; master_key_version: number }];
    expect(Buffer.from(row.sealed).includes('marked')).toBe(false);
    expect(row.master_key_version).toBe(1);
  });

  it('are validated together with the config, and messages contain no value', async () => {
    const wrong = create({ config: { host: 7, depth: 'deep' }, credentials: { user: 'a', secret: 'marked-secret' } });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(wrong).rejects.not.toThrow(/marked-secret/);
    expect(await issuesOf(wrong)).toEqual([
      'config.host',
      'config.depth',
      'credentials.password',
      'credentials.secret',
    ]);
  });

  it('are replaced by an update, which reopens the source', async () => {
    const { id } = await create();
    await test(id);
    await update(id, { credentials: { ...credentials, password: 'other' } });
    await test(id);
    expect(source.opened.map((fields) => fields.credentials)).toEqual([
      credentials,
      { ...credentials, password: 'other' },
    ]);
    expect(source.closed).toBe(1);
  });

  it('are required again only if a change redirects them', async () => {
    const { id } = await create({ config: { host: 'db.test', depth: 1 } });
    expect(await issuesOf(update(id, { config: { host: 'evil.test' } }))).toEqual(['credentials']);
    expect((await update(id, { config: { depth: 2, host: 'db.test' } })).config).toEqual({ host: 'db.test', depth: 2 });
    expect((await update(id, { config: { host: 'new.test' }, credentials })).config).toEqual({
      host: 'new.test',
      depth: 2,
    });
    expect(await issuesOf(update(id, { config: { host: null } }))).toEqual(['config.host']);
  });

  it('reuse one open source while nothing changes', async () => {
    const { id } = await create();
    await Promise.all([test(id), test(id), test(id)]);
    await client.connectors.updateConnector({ id, name: 'Renamed' }, client.as());
    await test(id);
    expect(source.opened).toHaveLength(1);
  });

  it('are deleted with their connector', async () => {
    const { id } = await create();
    await client.connectors.deleteConnector({ id, keepDocuments: false }, client.as());
    expect(await system.rows('SELECT 1 FROM connector.connector_secrets WHERE connector_id = $1', id)).toEqual([]);
  });
});

describe('a test of settings', () => {
  const testSettings = (fields: { config?: object; credentials?: object }) =>
    client.connectors.testSettings(
      { type: 'guarded', config: { host: 'db.test' }, credentials, ...fields },
      client.as(),
    );

  it('reports each check and closes the source', async () => {
    source.checks = [
      { name: 'network', ok: true, message: 'The server responds.' },
      { name: 'login', ok: false, message: 'The password is wrong.', kind: 'auth' },
    ];
    expect(await testSettings({})).toEqual({
      success: false,
      latencyMs: expect.any(Number),
      checks: source.checks.map(({ name, ok, message }) => ({ name, ok, message })),
      error: { code: 'auth', message: 'The password is wrong.' },
    });
    expect(source.closed).toBe(1);
  });

  it('rejects malformed settings', async () => {
    expect(await issuesOf(testSettings({ config: {} }))).toEqual(['config.host']);
    expect(await issuesOf(testSettings({ credentials: {} }))).toEqual(['credentials.user', 'credentials.password']);
    await expect(client.connectors.testSettings({ type: 'nothing' }, client.as())).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('ends in time if the source never responds and ignores its signal', async () => {
    const config = readConfig({ ...system.env, CONNECTION_TEST_TIMEOUT_MS: '1000' });
    const hasty = await startConnector(config, { types: [...connectorTypes, source.type] });
    const asking = createConnectorClient(`127.0.0.1:${hasty.port}`, client.caller);
    source.hangs = true;
    const { success, error, latencyMs } = await asking.connectors.testSettings(
      { type: 'guarded', config: { host: 'db.test' }, credentials },
      asking.as(),
    );
    expect({ success, code: error?.code }).toEqual({ success: false, code: 'timeout' });
    expect(latencyMs).toBeLessThan(timeLimit(5_000));
    asking.close();
    await hasty.stop();
  });
});

describe('master keys', () => {
  const keyOf = () => randomBytes(32).toString('base64');
  const lines: string[] = [];
  const startWith = (keys: string) =>
    startConnector(readConfig({ ...system.env, LECTERN_MASTER_KEYS: keys }), {
      types: [...connectorTypes, source.type],
      log: createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } }),
    });

  it('can be rotated without failing a read', async () => {
    const old = system.env.LECTERN_MASTER_KEYS ?? '';
    const next = `2:${keyOf()}`;
    const ids: string[] = [];
    while (ids.length < 30) ids.push((await create()).id);
    // First every replica gets the new key. Then one after the other uses it.
    const reader = await startWith(`${old},${next}`);
    const readers = createConnectorClient(`127.0.0.1:${reader.port}`, client.caller);
    let reading = true;
    let reads = 0;
    const failures: unknown[] = [];
    const readAll = async () => {
      while (reading) {
        for (const id of ids) {
          // A changed revision reopens the source, so that each read decrypts the credentials.
          const report = await readers.connectors.testConnector({ id }, readers.as());
          if (report.success) reads += 1;
          else failures.push(report.error);
        }
      }
    };
    const work = [readAll(), readAll()];
    const rotating = await startWith(`${next},${old}`);
    const versions = async () => {
      const rows = await system.rows<{ v: number }>(
        'SELECT DISTINCT master_key_version AS v FROM connector.connector_secrets',
      );
      return rows.map(({ v }) => v);
    };
    await waitUntil(async () => (await versions()).join() === '2', {
      what: 'all secrets to be encrypted with the new key',
      timeoutMs: 20_000,
    });
    await waitUntil(async () => reads > 200, { what: 'reads after the rotation', timeoutMs: 20_000 });
    reading = false;
    await Promise.all(work);
    expect(failures).toEqual([]);
    readers.close();
    await Promise.all([reader.stop(), rotating.stop()]);

    // A replica that has only the old key logs the missing one.
    const outdated = await startWith(old);
    await waitUntil(async () => lines.some((line) => line.includes('no key of version 2')), {
      what: 'the missing key to be logged',
      timeoutMs: 10_000,
    });
    const outdatedClient = createConnectorClient(`127.0.0.1:${outdated.port}`, client.caller);
    expect(await outdatedClient.connectors.testConnector({ id: ids[0] ?? '' }, outdatedClient.as())).toMatchObject({
      success: false,
      error: { code: 'transient', message: expect.stringContaining('LECTERN_MASTER_KEYS') },
    });
    outdatedClient.close();
    await outdated.stop();
    expect(lines.join()).not.toContain(next.slice(2, 20));
  });

  it('affect only connectors with credentials if they are missing', async () => {
    const { LECTERN_MASTER_KEYS: _, ...env } = system.env;
    const replica = await startConnector(readConfig(env), { types: [...connectorTypes, source.type] });
    const replicaClient = createConnectorClient(`127.0.0.1:${replica.port}`, client.caller);
    const fields = { name: 'G', type: 'guarded', collectionId, config: { host: 'db.test' }, credentials };
    await expect(replicaClient.connectors.createConnector(fields, replicaClient.as())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('LECTERN_MASTER_KEYS'),
    });
    expect(await replicaClient.createConnector(collectionId)).toMatchObject({ type: 'upload' });
    replicaClient.close();
    await replica.stop();
  });
});
