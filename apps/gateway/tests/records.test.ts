import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptsIfMatch, hasEtag } from '@lectern/api-spec';
import { z } from 'zod';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { REVISION } from './support/records.ts';
import { BODIES, sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

type Operation = (typeof TABLE)[number][1];
const PUTS = TABLE.filter(([, { method, body }]) => method === 'put' && body.kind === 'record');
const at = ({ path }: Operation) => samplePath(path, gateway.keys.teamId);

describe('every operation that changes a record', () => {
  it.each(PUTS)('%s accepts the record as GET returns it', async (_name, operation) => {
    const read = await gateway.send('GET', at(operation));
    expect(read.headers.get('etag')).toMatch(/^"[\w-]{16}\.[\w-]{16}"$/);
    const written = await gateway.send('PUT', at(operation), { json: read.json.data });
    expect({ status: written.status, error: written.json.error }).toEqual({ status: 200, error: undefined });
    const { updatedAt: _then, ...before } = read.json.data;
    const { updatedAt: _now, ...after } = written.json.data;
    expect(after).toEqual(before);
  });

  it.each(PUTS)('%s accepts null for each field for which GET can return null', (_name, operation) => {
    const { body, response } = operation;
    if (!(body.schema instanceof z.ZodObject) || !(response?.data instanceof z.ZodObject))
      throw new Error('The body and the response must be objects.');
    const shown = response.data.shape;
    for (const [name, field] of Object.entries(body.schema.shape)) {
      if (!(name in shown) || !z.unknown().pipe(shown[name]).safeParse(null).success) continue;
      expect({ name, acceptsNull: z.unknown().pipe(field).safeParse(null).success }).toEqual({
        name,
        acceptsNull: true,
      });
    }
  });

  it.each(PUTS)('%s rejects a changed value of each read-only field by name', async (_name, operation) => {
    const { data } = (await gateway.send('GET', at(operation))).json;
    const writable = operation.body.schema instanceof z.ZodObject ? Object.keys(operation.body.schema.shape) : [];
    const readOnly = Object.keys(data).filter((name) => !writable.includes(name));
    expect(readOnly).toContain('id');
    for (const name of readOnly) {
      const response = await gateway.send('PUT', at(operation), { json: { ...data, [name]: { other: 'value' } } });
      expectError(response, 400, 'invalid_request', name);
      expect(response.json.error.details.issues).toHaveLength(1);
    }
  });
});

describe('the ETag of a record', () => {
  const versioned = TABLE.filter(([, { versioned }]) => versioned === true);

  it('exists for every resource that is changed or deleted by id, except apps, budgets, conversations, groups, identity providers, invitations, items, jobs, packs, passkeys, questions, SCIM tokens, sessions, Slack apps, snapshots, test cases, tools and webhooks', () => {
    const without = TABLE.filter(
      ([, { method, path, versioned }]) => ['put', 'delete'].includes(method) && path.endsWith('}') && !versioned,
    ).map(([name]) => name);
    expect(without.toSorted()).toEqual([
      'delete /api/v1/account/apps/{id}',
      'delete /api/v1/account/passkeys/{id}',
      'delete /api/v1/account/sessions/{id}',
      'delete /api/v1/apps/{id}',
      'delete /api/v1/budgets/{id}',
      'delete /api/v1/connectors/{id}/items/{itemId}',
      'delete /api/v1/connectors/{id}/snapshots/{snapshotId}',
      'delete /api/v1/connectors/{id}/sync/{jobId}',
      'delete /api/v1/groups/{id}',
      'delete /api/v1/groups/{id}/members/{personId}',
      'delete /api/v1/identity-providers/{id}',
      'delete /api/v1/invitations/{id}',
      'delete /api/v1/scim-tokens/{id}',
      'delete /api/v1/slack-apps/{id}',
      'delete /api/v1/teams/{teamId}/conversations/{id}',
      'delete /api/v1/test-cases/{id}',
      'delete /api/v1/webhooks/{id}',
      'put /api/v1/budgets/{id}',
      'put /api/v1/groups/{id}',
      'put /api/v1/groups/{id}/members/{personId}',
      'put /api/v1/identity-providers/{id}',
      'put /api/v1/questions/{id}',
      'put /api/v1/slack-apps/{id}',
      'put /api/v1/synonyms/packs/{name}',
      'put /api/v1/teams/{teamId}/conversations/{id}',
      'put /api/v1/test-cases/{id}',
      'put /api/v1/tool-servers/{id}/tools/{toolName}',
      'put /api/v1/webhooks/{id}',
    ]);
  });

  it.each(versioned.filter(([, operation]) => hasEtag(operation)))(
    'is in the response of %s',
    async (_name, operation) => {
      const response = await gateway.send(operation.method, at(operation), sampleInit(operation.id));
      expect(response.headers.get('etag')).toMatch(/^"[\w-]{16}\.[\w-]{16}"$/);
    },
  );

  it.each([
    ['/api/v1/agents', 'createAgent', 'agents/{id}'],
    ['/api/v1/connectors', 'createConnector', 'connectors/{id}'],
  ])('is the same after creation (%s) and when read', async (path, id, read) => {
    const created = await gateway.send('POST', path, { json: BODIES[id] });
    const found = await gateway.send('GET', samplePath(`/api/v1/${read}`, gateway.keys.teamId));
    expect(created.headers.get('etag')).toBe(found.headers.get('etag'));
  });

  const bound = versioned.filter(([, operation]) => acceptsIfMatch(operation));
  it.each(bound.filter(([, { path }]) => !/api-keys|people/.test(path)))(
    'is passed by %s to the service that owns the record',
    async (_name, operation) => {
      const tag = `"${REVISION}.${'x'.repeat(16)}"`;
      const sendIfMatch = async (ifMatch: string) => {
        gateway.services.calls.length = 0;
        const headers = { 'If-Match': ifMatch };
        const response = await gateway.send(operation.method, at(operation), { ...sampleInit(operation.id), headers });
        const changed = gateway.services.calls.find(({ method }) => /^(update|delete)/.test(method));
        return { status: response.status, precondition: Reflect.get(Object(changed?.request), 'precondition') };
      };
      expect(await sendIfMatch(`"other", ${tag}`)).toMatchObject({ precondition: { revisions: [REVISION] } });
      expect(await sendIfMatch(`W/${tag}`)).toMatchObject({ precondition: { revisions: [] } });
      expect(await sendIfMatch('*')).toEqual({ status: 200, precondition: undefined });
      expect(await sendIfMatch('nonsense')).toEqual({ status: 400, precondition: undefined });
    },
  );

  it.each(bound)('is rejected by %s without access, whatever its value', async (_name, operation) => {
    for (const tag of ['"x"', '*', 'nonsense']) {
      const init = { ...sampleInit(operation.id), headers: { 'If-Match': tag } };
      const path = at(operation);
      expectError(await gateway.send(operation.method, path, { ...init, key: null }), 401, 'unauthorized');
      const publishable = { ...init, key: gateway.keys.publishableKey };
      expectError(await gateway.send(operation.method, path, publishable), 403, 'forbidden');
    }
  });
});
