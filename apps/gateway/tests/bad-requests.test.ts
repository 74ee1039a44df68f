import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKey } from '#keys/format';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { signInAs, type TestPerson } from './support/people.ts';
import { unknownId } from './support/records.ts';
import { callerOf, sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
let person: TestPerson;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE: '1000000' });
  person = await signInAs(gateway.db, gateway.keys.teamId, 'member');
});
afterAll(() => gateway.stop());

const KEYED = TABLE.filter(([, { access }]) => access !== 'open');
/** The ids of search models are names that the collection service checks. */
const WITH_IDS = KEYED.filter(
  ([, { path }]) => /\{(id|documentId|jobId)\}/.test(path) && !path.includes('/search-models/'),
);
const OF_TEAM = KEYED.filter(([, { path }]) => path.includes('{teamId}'));
const PAGED = KEYED.filter(([, { query }]) => 'page' in query.shape);
/** Operations that return the best matches up to a limit, without pages. */
const LIMITED = KEYED.filter(([, { query }]) => 'limit' in query.shape && !('page' in query.shape));
const WITH_QUERY = TABLE.filter(([, { query }]) => Object.keys(query.shape).length > 0);
const ID = /[a-z]+_01h455vb4pex5vsknk084sn02q/g;
const LAST_ID = /(.*\/)([a-z]+_01h455vb4pex5vsknk084sn02q)/;

const pathOf = (path: string) => samplePath(path, gateway.keys.teamId);

describe('authentication', () => {
  it.each(KEYED)('%s requires a key', async (_name, { id, method, path }) => {
    expectError(await gateway.send(method, pathOf(path), { ...sampleInit(id), key: null }), 401, 'unauthorized');
  });

  it.each(KEYED)('%s rejects malformed and unknown keys', async (_name, { id, method, path }) => {
    for (const key of ['nonsense', `${newKey('secret').slice(0, -1)}!`, newKey('secret')]) {
      expectError(await gateway.send(method, pathOf(path), { ...sampleInit(id), key }), 401, 'invalid_key');
    }
  });

  it.each(KEYED)('%s accepts a publishable key only if the table allows it', async (_name, operation) => {
    const init = { ...sampleInit(operation.id), key: gateway.keys.publishableKey };
    const response = await gateway.send(operation.method, pathOf(operation.path), init);
    if (operation.access === 'publishable') expect(response.status).toBe(operation.success);
    else expectError(response, 403, 'forbidden');
  });

  it.each(OF_TEAM)('%s rejects a key of another team', async (_name, { id, method, path }) => {
    const init = { ...sampleInit(id), key: gateway.otherKeys.secretKey };
    expectError(await gateway.send(method, pathOf(path), init), 403, 'forbidden');
  });

  it('allows a publishable key only the documented operations', () => {
    const allowed = TABLE.filter(([, { access }]) => access === 'publishable').map(([name]) => name);
    expect(allowed.sort()).toEqual([
      'get /api/v1/collections',
      'get /api/v1/collections/{id}',
      'get /api/v1/documents/{id}',
      'get /api/v1/documents/{id}/content',
      'get /api/v1/documents/{id}/page-image',
      'get /api/v1/documents/{id}/pages',
      'get /api/v1/documents/{id}/summary',
      'get /api/v1/key',
      'post /api/v1/search',
      'post /api/v1/search/clicks',
      'post /api/v1/search/faceted',
      'post /v1/docs/search',
    ]);
  });
});

describe('a path', () => {
  it.each(WITH_IDS)('%s returns 404 for unknown ids', async (_name, operation) => {
    const { id, method, path } = operation;
    const target = pathOf(path).replace(LAST_ID, (_all, before, known) => before + unknownId(known));
    const response = await gateway.send(method, target, { ...sampleInit(id), ...callerOf(operation, person) });
    expectError(response, 404, 'not_found');
    expect(response.json.error.details).toEqual({ resource: expect.any(String), id: expect.stringMatching(/0zz$/) });
  });

  it.each(WITH_IDS)('%s returns 404 for malformed ids', async (_name, operation) => {
    const { id, method, path } = operation;
    const init = { ...sampleInit(id), ...callerOf(operation, person) };
    for (const wrong of [
      'x',
      'null',
      '%00',
      '%2e%2e%2fetc',
      '%F0%9F%92%A9',
      "1'%20OR%201=1",
      'a'.repeat(3_000),
      '-1',
    ]) {
      expectError(await gateway.send(method, pathOf(path).replaceAll(ID, wrong), init), 404, 'not_found');
    }
  });

  it.each(WITH_IDS)('%s returns 400 for a path that cannot be decoded', async (_name, { id, method, path }) => {
    expectError(
      await gateway.send(method, pathOf(path).replaceAll(ID, '%zz'), sampleInit(id)),
      400,
      'invalid_request',
      'path',
    );
  });

  it.each(TABLE)('%s lists the allowed methods if another one is used', async (_name, { path }) => {
    const allowed = TABLE.filter(([, other]) => other.path === path).map(([, other]) => other.method.toUpperCase());
    for (const key of [null, gateway.keys.secretKey]) {
      const response = await gateway.send('PATCH', pathOf(path), { key });
      expectError(response, 405, 'method_not_allowed');
      expect(response.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(allowed));
    }
  });

  it.each(TABLE)('%s returns 404 with a trailing slash', async (_name, { id, method, path }) => {
    const [bare] = pathOf(path).split('?');
    const response = await gateway.send(method, `${bare}/`, sampleInit(id));
    expectError(response, 404, 'not_found');
    expect(response.json.error.details).toEqual({ resource: 'path', id: `${bare}/` });
  });

  it('does not lead to the parent record if it contains ".."', async () => {
    gateway.services.calls.splice(0);
    const agent = pathOf('/api/v1/agents/{id}');
    expectError(await gateway.send('DELETE', `${agent}/memories/..`), 404, 'not_found');
    expect(gateway.services.calls).toEqual([]);
  });

  it.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v2/collections',
    '/api/v1/nothing',
    '/API/V1/COLLECTIONS',
    '/.env',
    '/api/v1/collections/x/y/z',
  ])('%s is not found, with or without a key', async (path) => {
    for (const key of [null, 'nonsense', gateway.keys.secretKey]) {
      expectError(await gateway.send('GET', path, { key }), 404, 'not_found');
    }
  });
});

describe('a query', () => {
  const WRONG = ['0', '-1', '1.5', 'x', '', ' 1', '1e1', '0x1', '99999999999999999999', 'NaN', '%00', '１'];

  it.each(PAGED)(
    '%s accepts only positive integers as page, and 1 to 100 as limit',
    async (_name, { method, path }) => {
      for (const name of ['page', 'limit']) {
        for (const value of [...WRONG, ...(name === 'limit' ? ['101'] : [])]) {
          const response = await gateway.send(method, `${pathOf(path)}?${name}=${value}`);
          expectError(response, 400, 'invalid_request', name);
        }
        expectError(await gateway.send(method, `${pathOf(path)}?${name}=1&${name}=2`), 400, 'invalid_request', name);
        expect((await gateway.send(method, `${pathOf(path)}?${name}=100`)).status).toBe(200);
      }
    },
  );

  it.each(LIMITED)(
    '%s accepts only 1 to 100 as limit, with or without other parameters',
    async (_name, { method, path }) => {
      const [bare] = pathOf(path).split('?');
      for (const value of [...WRONG, '101']) {
        for (const query of [`limit=${value}`, `query=answers&limit=${value}`]) {
          expectError(await gateway.send(method, `${bare}?${query}`), 400, 'invalid_request', 'limit');
        }
      }
      expect((await gateway.send(method, `${bare}?query=answers&limit=100`)).status).toBe(200);
    },
  );

  it.each(WITH_QUERY)('%s rejects U+0000 in every parameter', async (_name, { method, path, query }) => {
    const [bare] = pathOf(path).split('?');
    for (const name of Object.keys(query.shape)) {
      const others = new URLSearchParams({ query: 'leave', state: 'x' });
      others.delete(name);
      const response = await gateway.send(method, `${bare}?${others}&${name}=a%00b`);
      expectError(response, 400, 'invalid_request', name);
    }
  });

  it('returns an accurate error for an invalid page or limit', async () => {
    const messageFor = async (query: string) =>
      (await gateway.send('GET', `/api/v1/collections?${query}`)).json.error.message;
    expect(await messageFor('page=-1')).toBe('page: must be at least 1');
    expect(await messageFor('page=99999999999')).toBe('page: must be at most 20000000');
    expect(await messageFor('limit=many')).toBe('limit: must be a whole number from 1 to 100');
    expect(await messageFor('limit=1&limit=2')).toBe('limit: must occur exactly once');
  });

  it('returns the allowed values for an invalid value', async () => {
    const documents = await gateway.send('GET', `${pathOf('/api/v1/collections/{id}')}/documents?status=lost`);
    expectError(documents, 400, 'invalid_request', 'status');
    expect(documents.json.error.message).toContain('pending, processing, indexed, failed, deleted');
    const connector = await gateway.send('DELETE', `${pathOf('/api/v1/connectors/{id}')}?keepDocuments=maybe`);
    expectError(connector, 400, 'invalid_request', 'keepDocuments');
  });
});
