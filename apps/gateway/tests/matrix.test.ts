import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '#config';
import { closeContext, createContext } from '#context';
import { newKey } from '#keys/format';
import { createKeyPair, type NewKeyPair } from '#keys/pair-store';
import { operations } from '#operations/table';
import { buildRouter } from '#pipeline/build-router';
import { startTestGateway, type TestAnswer, type TestGateway } from './support/gateway.ts';
import { END_USER, MATRIX, NO_KEY, type Outcome } from './support/matrix.ts';
import { KNOWN } from './support/records.ts';
import { expectRefusal } from './support/refusal.ts';
import { sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
let scoped: NewKeyPair;
let revoked: NewKeyPair;
let expired: NewKeyPair;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { db, keys } = gateway;
  const past = new Date(Date.now() - 1_000);
  scoped = await createKeyPair(db, keys.teamId, 'scoped', { allowAllCollections: false });
  expired = await createKeyPair(db, keys.teamId, 'expired', { expiresAt: past });
  revoked = await createKeyPair(db, keys.teamId, 'revoked');
  await db.keyPair.update({ where: { id: revoked.id }, data: { revokedAt: past } });
});
afterAll(() => gateway.stop());
// A pair that the operations may revoke.
beforeEach(() => gateway.db.keyPair.update({ where: { id: KNOWN.key }, data: { revokedAt: null } }));

const KEYED = TABLE.filter(([name]) => !NO_KEY.includes(name));

/** Every route of the router, with each of its methods. */
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

function expectOutcome(answer: TestAnswer, outcome: Outcome, success: number): void {
  if (outcome === 'ok') {
    expect(answer.status).toBe(success);
    return;
  }
  const [status, code = ''] = outcome.split(' ');
  expectRefusal(answer, Number(status), code);
}

describe('the table of who may do what', () => {
  it('has a row for every route of the router, and none for others', async () => {
    expect((await routesOf()).sort()).toEqual([...NO_KEY, ...Object.keys(MATRIX)].sort());
  });

  it.each(KEYED)(
    '%s lets a request for an end user act on the user’s own data',
    async (name, { id, method, path, success }) => {
      const { teamId, secretKey } = gateway.keys;
      const init = sampleInit(id);
      const headers = { ...init.headers, 'x-service-user': 'ada@example.com' };
      const answer = await gateway.send(method, samplePath(path, teamId), { ...init, key: secretKey, headers });
      expectOutcome(answer, END_USER.has(name) ? 'ok' : '403 forbidden', success);
    },
  );

  it.each(KEYED)('%s distinguishes the kinds of invalid keys', async (_name, { id, method, path }) => {
    const as = (key: string | null) =>
      gateway.send(method, samplePath(path, gateway.keys.teamId), { ...sampleInit(id), key });
    const answers = [
      [null, 'unauthorized'],
      ['nonsense', 'invalid_key'],
      [newKey('secret'), 'invalid_key'],
      [revoked.secretKey, 'invalid_key'],
      [revoked.publishableKey, 'invalid_key'],
      [expired.secretKey, 'key_expired'],
      [expired.publishableKey, 'key_expired'],
    ] as const;
    for (const [key, code] of answers) {
      const answer = await as(key);
      expectRefusal(answer, 401, code);
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    }
  });

  it.each(KEYED)(
    '%s accepts and rejects each key as the table defines',
    async (name, { id, method, path, success }) => {
      const row = MATRIX[name]!;
      const { keys, otherKeys } = gateway;
      const as = (key: string) => gateway.send(method, samplePath(path, keys.teamId), { ...sampleInit(id), key });
      const outcomes: readonly (readonly [string, Outcome])[] = [
        [otherKeys.secretKey, row.otherTeam],
        [scoped.secretKey, row.scoped],
        [keys.publishableKey, row.publishable],
        [keys.secretKey, 'ok'],
      ];
      for (const [key, outcome] of outcomes) {
        const answer = await as(key);
        expectOutcome(answer, outcome, success);
        for (const header of ['limit', 'remaining', 'reset']) {
          expect(answer.headers.get(`x-ratelimit-${header}`)).toMatch(/^\d+$/);
        }
      }
    },
  );
});
