import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { type SendInit, startTestGateway, type TestGateway } from './support/gateway.ts';
import { MATRIX } from './support/matrix.ts';
import { samplePath, TABLE } from './support/samples.ts';

const SMALL = 4_096;

let gateway: TestGateway;
let scopedKey: string;
beforeAll(async () => {
  gateway = await startTestGateway({ MAX_SMALL_JSON_BYTES: `${SMALL}`, MAX_JSON_BYTES: `${SMALL}` });
  const settings = { allowAllCollections: false, allowedCollections: [] };
  scopedKey = (await createKeyPair(gateway.db, gateway.keys.teamId, 'scoped', settings)).secretKey;
});
afterAll(() => gateway.stop());

type Operation = (typeof TABLE)[number][1];

/** Bodies and queries that every operation rejects, or ignores because it accepts none. */
const WRONG: readonly SendInit[] = [
  { body: 'nonsense', headers: { 'Content-Type': 'text/plain' } },
  { body: '{', headers: { 'Content-Type': 'application/json' } },
  { body: 'not zipped', headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' } },
  { body: `{"surprise":"${'x'.repeat(SMALL)}"}`, headers: { 'Content-Type': 'application/json' } },
  { json: { surprise: 1 } },
  { body: '--x', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } },
  { json: {}, headers: { 'Idempotency-Key': '\u00e9'.repeat(300) } },
];

async function expectAllRejected(
  { method, path }: Operation,
  key: string,
  status: number,
  code: string,
): Promise<void> {
  const address = samplePath(path, gateway.keys.teamId);
  const withQuery = `${address}${address.includes('?') ? '&' : '?'}page=x&limit=0&from=y&surprise=1`;
  for (const { body, json, ...init } of WRONG) {
    const sent = method === 'get' ? init : { ...init, ...(body === undefined ? { json } : { body }) };
    expectError(await gateway.send(method, withQuery, { ...sent, key }), status, code);
  }
}

const keyed = TABLE.filter(([, { access }]) => access !== 'open');
const rowOf = (name: string) => MATRIX[name]!;
const requiresFullScope = (name: string) => {
  const { scoped, otherTeam } = rowOf(name);
  return scoped === '403 forbidden' && (otherTeam === 'ok' || name.includes('/api-keys'));
};
const OF_A_COLLECTION = [
  'put /api/v1/collections/{id}',
  'post /api/v1/collections/{id}/documents',
  'post /api/v1/collections/{id}/documents/batch',
];

describe('authorization before validation', () => {
  it.each(keyed)('%s rejects an unknown key', (_name, operation) =>
    expectAllRejected(operation, 'lectern_sk_unknown', 401, 'invalid_key'),
  );

  it.each(keyed.filter(([name]) => rowOf(name).publishable === '403 forbidden'))(
    '%s rejects a publishable key',
    (_name, operation) => expectAllRejected(operation, gateway.keys.publishableKey, 403, 'forbidden'),
  );

  it.each(keyed.filter(([name]) => requiresFullScope(name) || OF_A_COLLECTION.includes(name)))(
    '%s rejects a key of restricted scope',
    (_name, operation) => expectAllRejected(operation, scopedKey, 403, 'forbidden'),
  );

  it.each([newId('collection'), 'nonsense'])('returns 404, not 403, for the unknown collection %s', async (id) => {
    const init = { key: scopedKey, json: { name: 'New' } };
    expectError(await gateway.send('put', `/api/v1/collections/${id}`, init), 404, 'not_found');
    expectError(await gateway.send('post', `/api/v1/collections/${id}/documents`, init), 404, 'not_found');
  });

  it.each(keyed.filter(([name]) => name.includes('{teamId}')))('%s rejects a key of another team', (_name, operation) =>
    expectAllRejected(operation, gateway.otherKeys.secretKey, 403, 'forbidden'),
  );
});
