import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '#config';
import { closeContext, createContext } from '#context';
import { newKey } from '#keys/format';
import { createKeyPair, type NewKeyPair } from '#keys/pair-store';
import { operations } from '#operations/table';
import { buildRouter } from '#pipeline/build-router';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import { END_USER, MATRIX, NO_KEY, type Outcome } from './support/matrix.ts';
import {
  createSampleInvitation,
  restoreSampleGroups,
  restoreSampleProviders,
  restoreSampleWebhook,
} from './support/people.ts';
import { KNOWN } from './support/records.ts';
import { sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
let scoped: NewKeyPair;
let revoked: NewKeyPair;
let expired: NewKeyPair;
beforeAll(async () => {
  // Every operation rejects several invalid keys.
  gateway = await startTestGateway({ RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE: '1000000' });
  const { db, keys } = gateway;
  const past = new Date(Date.now() - 1_000);
  scoped = await createKeyPair(db, keys.teamId, 'scoped', { allowAllCollections: false });
  expired = await createKeyPair(db, keys.teamId, 'expired', { expiresAt: past });
  revoked = await createKeyPair(db, keys.teamId, 'revoked');
  await db.keyPair.update({ where: { id: revoked.id }, data: { revokedAt: past } });
});
afterAll(() => gateway.stop());
// The operations under test may revoke this pair, and delete this invitation.
beforeEach(async () => {
  await gateway.db.keyPair.update({ where: { id: KNOWN.key }, data: { revokedAt: null } });
  await createSampleInvitation(gateway.db, gateway.keys.teamId);
  await restoreSampleGroups(gateway.db, gateway.keys.teamId);
  await restoreSampleProviders(gateway.db, gateway.keys.teamId);
  await restoreSampleWebhook(gateway.db, gateway.keys.teamId);
  await gateway.restoreSlackApps();
});

const KEYED = TABLE.filter(([name]) => !NO_KEY.includes(name));

/** Returns every route of the router with each of its methods, like `get /healthz`. */
async function routesOf(): Promise<string[]> {
  const ctx = createContext(readConfig({ DATABASE_URL: gateway.databaseUrl, LOG_LEVEL: 'silent' }));
  const { stack } = buildRouter(ctx, operations);
  await closeContext(ctx);
  const routes = stack.flatMap(({ route }) => (route === undefined ? [] : [route]));
  return routes.flatMap(({ path, stack: layers }) => {
    const methods = new Set(layers.map(({ method }) => method));
    const named = [...methods].filter((method) => method !== undefined && method !== 'options');
    return named.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
}

function expectOutcome(response: TestResponse, outcome: Outcome, success: number): void {
  if (outcome === 'ok') {
    expect(response.status).toBe(success);
    return;
  }
  const [status, code = ''] = outcome.split(' ');
  expectError(response, Number(status), code);
}

describe('the access matrix', () => {
  it('has a row for exactly the routes of the router', async () => {
    expect((await routesOf()).sort()).toEqual([...NO_KEY, ...Object.keys(MATRIX)].sort());
  });

  it.each(KEYED)(
    '%s accepts or rejects a request for an end user as defined',
    async (name, { id, method, path, success }) => {
      const { teamId, secretKey } = gateway.keys;
      const init = sampleInit(id);
      const headers = { ...init.headers, 'x-service-user': 'ada@example.com' };
      const response = await gateway.send(method, samplePath(path, teamId), { ...init, key: secretKey, headers });
      expectOutcome(response, END_USER.has(name) ? 'ok' : '403 forbidden', success);
    },
  );

  it.each(KEYED)('%s distinguishes the kinds of invalid keys', async (_name, { id, method, path }) => {
    const as = (key: string | null) =>
      gateway.send(method, samplePath(path, gateway.keys.teamId), { ...sampleInit(id), key });
    const cases = [
      [null, 'unauthorized'],
      ['nonsense', 'invalid_key'],
      [newKey('secret'), 'invalid_key'],
      [revoked.secretKey, 'invalid_key'],
      [revoked.publishableKey, 'invalid_key'],
      [expired.secretKey, 'key_expired'],
      [expired.publishableKey, 'key_expired'],
    ] as const;
    for (const [key, code] of cases) {
      const response = await as(key);
      expectError(response, 401, code);
      expect(response.headers.get('x-ratelimit-limit')).toBeNull();
    }
  });

  it.each(KEYED)('%s accepts and rejects each key as defined', async (name, { id, method, path, success }) => {
    const row = MATRIX[name]!;
    const { keys, otherKeys } = gateway;
    const as = (key: string) => gateway.send(method, samplePath(path, keys.teamId), { ...sampleInit(id), key });
    const outcomes: readonly (readonly [string, Outcome])[] = [
      [otherKeys.secretKey, row.otherTeam],
      [scoped.secretKey, row.scoped],
      [keys.publishableKey, row.publishable],
      [keys.secretKey, row.secret ?? 'ok'],
    ];
    for (const [key, outcome] of outcomes) {
      const response = await as(key);
      expectOutcome(response, outcome, success);
      for (const header of ['limit', 'remaining', 'reset']) {
        expect(response.headers.get(`x-ratelimit-${header}`)).toMatch(/^\d+$/);
      }
    }
  });
});
