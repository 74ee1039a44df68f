import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { createKeyPair } from '#keys/pair-store';
import { MIGRATIONS_DIR } from '#server';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN, unknownId } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const KEYS = '/api/v1/api-keys';
const SEARCH = '/api/v1/search';

async function create(json: Record<string, unknown> = {}) {
  const response = await gateway.send('POST', KEYS, { json: { name: 'Website', ...json } });
  expect(response.status).toBe(201);
  return response.json.data;
}

const describeKey = (key: string, headers: Record<string, string> = {}) =>
  gateway.send('GET', '/api/v1/key', { key, headers });

describe('a key pair', () => {
  it('is created with its settings, and shows its keys only once', async () => {
    const settings = {
      name: 'Website',
      allow_all_collections: false,
      allowed_collections: [KNOWN.collection],
      allowed_hosts: ['example.com', '*.example.com'],
      allowed_referers: ['https://example.com/docs'],
      rights: ['search', 'keys'],
      allowed_ips: ['203.0.113.7', '2001:db8::/32'],
      publishable_reads: 'public',
      require_signature: true,
      rate_limit_per_minute: 1_000_000,
      expires_at: '2100-01-01T00:00:00.000Z',
    };
    const { publishableKey, secretKey, ...record } = await create(settings);
    expect(record).toEqual({
      ...settings,
      id: expect.stringMatching(/^key_/),
      publishableKeyPrefix: `lectern_pk_…${publishableKey.slice(-4)}`,
      secretKeyPrefix: `lectern_sk_…${secretKey.slice(-4)}`,
      lastUsedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      revokedAt: null,
    });
    const read = await gateway.send('GET', `${KEYS}/${record.id}`);
    expect(read.json.data).toEqual(record);
    const listed = await gateway.send('GET', `${KEYS}?limit=1`);
    expect(listed.json.data).toEqual([record]);
    expect(listed.json.meta).toMatchObject({ page: 1, limit: 1, hasMore: true });
    expect(read.text + listed.text).not.toContain(secretKey.slice(11, 40));
  });

  it('can access every collection unless it names some, and has the default limits', async () => {
    expect(await create()).toMatchObject({
      allow_all_collections: true,
      rate_limit_per_minute: null,
      expires_at: null,
    });
    expect(await create({ allowed_collections: [KNOWN.collection] })).toMatchObject({ allow_all_collections: false });
  });

  it.each([
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ allowed_collections: [unknownId(KNOWN.collection)] }, 'allowed_collections[0]'],
    [{ allowed_collections: [KNOWN.collection, 'x'] }, 'allowed_collections[1]'],
    [{ allowed_hosts: ['https://example.com'] }, 'allowed_hosts[0]'],
    [{ allowed_hosts: ['*'] }, 'allowed_hosts[0]'],
    [{ allowed_hosts: ['example.com:99999'] }, 'allowed_hosts[0]'],
    [{ allowed_referers: ['ftp://example.com'] }, 'allowed_referers[0]'],
    [{ rate_limit_per_minute: 0 }, 'rate_limit_per_minute'],
    [{ rate_limit_per_minute: 1_000_001 }, 'rate_limit_per_minute'],
    [{ publishable_reads: 'all' }, 'publishable_reads'],
    [{ name: ' ' }, 'name'],
    [{ secretKey: 'x' }, 'secretKey'],
  ])('is rejected if invalid: %j', async (json, path) => {
    const response = await gateway.send('POST', KEYS, { json: { name: 'x', ...json } });
    expectError(response, 400, 'invalid_request', path);
  });

  it('can be read with either of its keys', async () => {
    const { id, secretKey, publishableKey } = await create({ allow_all_collections: false });
    const { json } = await describeKey(secretKey);
    expect(json.data).toMatchObject({
      id,
      teamId: gateway.keys.teamId,
      kind: 'secret',
      allow_all_collections: false,
      allowed_collections: [],
    });
    expect((await describeKey(publishableKey)).json.data.kind).toBe('publishable');
  });

  it('can be updated field by field, with immediate effect', async () => {
    const { id, secretKey } = await create({ rate_limit_per_minute: 50 });
    expect((await describeKey(secretKey)).json.data.rate_limit_per_minute).toBe(50);
    const path = `${KEYS}/${id}`;
    const changed = await gateway.send('PUT', path, {
      json: { allow_all_collections: false, rate_limit_per_minute: null },
    });
    expect(changed.json.data).toMatchObject({
      id,
      name: 'Website',
      allow_all_collections: false,
      rate_limit_per_minute: null,
    });
    expect((await describeKey(secretKey)).json.data.allow_all_collections).toBe(false);
    expectError(
      await gateway.send('PUT', path, { json: { revokedAt: '2020-01-01T00:00:00.000Z' } }),
      400,
      'invalid_request',
      'revokedAt',
    );
  });

  it('can be revoked once, with immediate effect, and then only be read', async () => {
    const { id, secretKey } = await create();
    expect((await describeKey(secretKey)).status).toBe(200);
    const path = `${KEYS}/${id}`;
    expect((await gateway.send('DELETE', path)).json.data).toEqual({ id, deleted: true });
    expectError(await describeKey(secretKey), 401, 'invalid_key');
    expect((await gateway.send('GET', path)).json.data.revokedAt).toEqual(expect.any(String));
    expectError(await gateway.send('DELETE', path), 404, 'not_found');
    expectError(await gateway.send('PUT', path, { json: { name: 'x' } }), 409, 'conflict');
    expectError(await gateway.send('POST', `${path}/rotate`), 409, 'conflict');
  });

  it('can be rotated, and its old keys work only during the overlap', async () => {
    const first = await create();
    const rotate = (json: object) => gateway.send('POST', `${KEYS}/${first.id}/rotate`, { json });
    const second = await rotate({ overlapSeconds: 60 });
    expect(second.status).toBe(200);
    expect(second.json.data.id).toBe(first.id);
    expect(second.json.data.secretKeyPrefix).toBe(`lectern_sk_…${second.json.data.secretKey.slice(-4)}`);
    for (const key of [first.secretKey, first.publishableKey, second.json.data.secretKey]) {
      expect((await describeKey(key)).status).toBe(200);
    }
    const third = await rotate({});
    for (const key of [first.secretKey, first.publishableKey, second.json.data.secretKey]) {
      expectError(await describeKey(key), 401, 'invalid_key');
    }
    expect((await describeKey(third.json.data.publishableKey)).status).toBe(200);
    expectError(await rotate({ overlapSeconds: -1 }), 400, 'invalid_request', 'overlapSeconds');
  });

  it('records when it was last used', async () => {
    const { id, publishableKey } = await create();
    const before = Date.now();
    await describeKey(publishableKey);
    const lastUsedAt = async () => (await gateway.send('GET', `${KEYS}/${id}`)).json.data.lastUsedAt;
    expect(new Date(await lastUsedAt()).getTime()).toBeGreaterThanOrEqual(before);
    const stored = () => gateway.db.keyPair.findUniqueOrThrow({ where: { id } });
    while ((await stored()).lastUsedAt === null) expect(Date.now() - before).toBeLessThan(timeLimit(5_000));
    expect(new Date(await lastUsedAt()).getTime()).toBeGreaterThanOrEqual(before);
  });

  it('drops a deleted collection from its scope', async () => {
    const { id } = await create({ allowed_collections: [KNOWN.collection] });
    await gateway.send('DELETE', `/api/v1/collections/${KNOWN.collection}`);
    expect((await gateway.send('GET', `${KEYS}/${id}`)).json.data).toMatchObject({
      allow_all_collections: false,
      allowed_collections: [],
    });
  });
});

describe('a publishable key', () => {
  const lastCaller = () => gateway.services.calls.at(-1)?.caller;
  const search = (key: string) => gateway.send('POST', SEARCH, { key, json: { query: 'x' } });

  it('reads only public documents, unlike its secret key', async () => {
    const { publishableKey, secretKey } = await create();
    expect((await describeKey(publishableKey)).json.data.publishable_reads).toBe('public');
    await search(publishableKey);
    expect(lastCaller()?.publicOnly).toBe(true);
    await search(secretKey);
    expect(lastCaller()?.publicOnly).toBeUndefined();
  });

  it('keeps its access if its pair is older, until the pair is permanently restricted', async () => {
    const { id, publishableKey } = await create();
    await gateway.db.keyPair.update({ where: { id }, data: { publishableReads: 'all' } });
    const path = `${KEYS}/${id}`;
    const put = (reads: string) => gateway.send('PUT', path, { json: { publishable_reads: reads } });
    expect((await put('all')).json.data.publishable_reads).toBe('all');
    await search(publishableKey);
    expect(lastCaller()?.publicOnly).toBeUndefined();
    expect((await put('public')).json.data.publishable_reads).toBe('public');
    await search(publishableKey);
    expect(lastCaller()?.publicOnly).toBe(true);
    expectError(await put('all'), 400, 'invalid_request', 'publishable_reads');
    expectError(await put('none'), 400, 'invalid_request', 'publishable_reads');
    await search(publishableKey);
    expect(lastCaller()?.publicOnly).toBe(true);
  });

  it('keeps its access when an older pair is migrated, while new pairs get the safe rule', async () => {
    const [old] = await gateway.db.$queryRaw<{ column_default: string }[]>`
      SELECT column_default FROM information_schema.columns
      WHERE table_schema = 'gateway' AND table_name = 'key_pairs' AND column_name = 'publishable_reads'`;
    expect(old?.column_default).toContain("'public'");
    const schema = `upgrade_${Date.now()}`;
    const migration = await readFile(join(MIGRATIONS_DIR, '20261123012000_publishable_reads', 'migration.sql'), 'utf8');
    const statements = migration
      .replaceAll(/^--.*$/gm, '')
      .split(';')
      .map((text) => text.trim())
      .filter(Boolean);
    const read = await gateway.db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`CREATE SCHEMA ${schema}`);
      await tx.$executeRawUnsafe(`SET LOCAL search_path TO ${schema}`);
      await tx.$executeRawUnsafe('CREATE TABLE key_pairs (id text)');
      await tx.$executeRawUnsafe("INSERT INTO key_pairs VALUES ('old')");
      for (const statement of statements) await tx.$executeRawUnsafe(statement);
      await tx.$executeRawUnsafe("INSERT INTO key_pairs VALUES ('new')");
      return tx.$queryRawUnsafe('SELECT id, publishable_reads::text AS reads FROM key_pairs ORDER BY id');
    });
    expect(read).toEqual([
      { id: 'new', reads: 'public' },
      { id: 'old', reads: 'all' },
    ]);
  });
});

describe('a publishable key with allowed hosts', () => {
  const search = (key: string, headers: Record<string, string>) =>
    gateway.send('POST', SEARCH, { key, json: { query: 'x' }, headers });

  it('works only from those hosts', async () => {
    const { publishableKey, secretKey } = await create({
      allowed_hosts: ['Example.com', '*.docs.io', 'dev.test:3000'],
    });
    const from = (origin: string) => search(publishableKey, { Origin: origin });
    const good = ['https://example.com', 'http://EXAMPLE.com:8080', 'https://a.b.docs.io', 'http://dev.test:3000'];
    for (const origin of good) {
      const response = await from(origin);
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('vary')).toBe('Origin');
    }
    for (const origin of [
      'https://evil.com',
      'https://example.com.evil.com',
      'https://notexample.com',
      'https://www.example.com',
      'https://docs.io',
      'https://evildocs.io',
      'http://dev.test',
      'null',
      '',
    ]) {
      const response = await from(origin);
      expectError(response, 403, 'forbidden', 'ost not allowed');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect((await search(publishableKey, { Referer: 'https://example.com/page?x' })).status).toBe(200);
    expectError(await search(publishableKey, { Referer: 'https://evil.com/example.com' }), 403, 'forbidden');
    expectError(await search(publishableKey, {}), 403, 'forbidden');
    expect((await search(secretKey, {})).status).toBe(200);
  });

  it('must also match its allowed referers', async () => {
    const { publishableKey } = await create({
      allowed_hosts: ['example.com'],
      allowed_referers: ['https://example.com/docs'],
    });
    const from = (referer: string) => search(publishableKey, { Origin: 'https://example.com', Referer: referer });
    for (const good of ['docs', 'docs/', 'docs/a?b#c', 'docs?x=1']) {
      expect((await from(`https://example.com/${good}`)).status).toBe(200);
    }
    for (const bad of [
      'https://example.com/docs-internal',
      'https://example.com/',
      'https://example.com/docs/../admin',
      'https://example.com@evil.com/docs',
      'http://example.com/docs',
      'https://example.com.evil.com/docs',
      'nonsense',
    ]) {
      expectError(await from(bad), 403, 'forbidden', 'eferer not allowed');
    }
    const fromElsewhere = { Origin: 'https://evil.com', Referer: 'https://example.com/docs' };
    expectError(await search(publishableKey, fromElsewhere), 403, 'forbidden');
  });
});

describe('an altered key', () => {
  it('is rejected without a query, whichever character was altered', async () => {
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'x');
    await gateway.db.$executeRaw`ALTER TABLE api_keys RENAME TO renamed`;
    try {
      for (let n = 0; n < 49; n += 1) {
        const at = 11 + n;
        const other = pair.secretKey[at] === 'a' ? 'b' : 'a';
        const altered = pair.secretKey.slice(0, at) + other + pair.secretKey.slice(at + 1);
        // A query would fail with another code.
        expectError(await describeKey(altered), 401, 'invalid_key');
      }
    } finally {
      await gateway.db.$executeRaw`ALTER TABLE renamed RENAME TO api_keys`;
    }
  });
});
