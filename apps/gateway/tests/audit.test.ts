import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const audit = async (query = '') => (await gateway.send('GET', `/api/v1/audit${query}`)).json;

describe('the audit log', () => {
  it('lists who did what, when and from where, newest first', async () => {
    const headers = { 'User-Agent': 'Terraform/1.9' };
    const created = await gateway.send('POST', '/api/v1/api-keys', { json: { name: 'Website' }, headers });
    const { id } = created.json.data;
    await gateway.send('POST', `/api/v1/api-keys/${id}/rotate`, { json: { overlapSeconds: 5 } });
    await gateway.send('PUT', `/api/v1/api-keys/${id}`, { json: { name: 'Shop' } });
    await gateway.send('DELETE', `/api/v1/api-keys/${id}`);
    const { data } = await audit(`?resourceId=${id}`);
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'revokeApiKey',
      'updateApiKey',
      'rotateApiKey',
      'createApiKey',
    ]);
    expect(data[3]).toEqual({
      id: expect.stringMatching(/^aud_/),
      action: 'createApiKey',
      resource: { type: 'api_key', id },
      actor: { keyId: gateway.keys.id, user: null, name: 'test' },
      ip: '127.0.0.1',
      userAgent: 'Terraform/1.9',
      requestId: created.json.meta.requestId,
      details: { settings: { name: 'Website' } },
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(JSON.stringify(data)).not.toContain(created.json.data.secretKey.slice(11, 40));
  });

  it('contains actions on collections, agents and connectors, without secrets', async () => {
    const json = { name: 'S3', type: 's3', collection: KNOWN.collection, credentials: { secretAccessKey: 'hush' } };
    await gateway.send('POST', '/api/v1/connectors', { json });
    await gateway.send('POST', `/api/v1/connectors/${KNOWN.connector}/sync`, { json: {} });
    await gateway.send('PUT', `/api/v1/collections/${KNOWN.collection}`, { json: { description: 'x' } });
    await gateway.send('DELETE', `/api/v1/agents/${KNOWN.agent}`);
    const response = await audit('?limit=4');
    expect(response.data).toMatchObject([
      { action: 'deleteAgent', resource: { type: 'agent', id: KNOWN.agent } },
      { action: 'updateCollection', resource: { type: 'collection' }, details: { fields: ['description'] } },
      { action: 'startSync', resource: { type: 'connector', id: KNOWN.connector }, details: { jobId: KNOWN.job } },
      { action: 'createConnector', resource: { type: 'connector', id: KNOWN.connector } },
    ]);
    expect(JSON.stringify(response)).not.toContain('hush');
    expect(response.meta).toMatchObject({ page: 1, limit: 4 });
  });

  it('names the schedule and not its agent', async () => {
    const path = `/api/v1/agents/${KNOWN.agent}/schedules`;
    const json = { name: 'Report', message: 'What is new?', cron: '0 7 * * *', timeZone: 'UTC' };
    expect((await gateway.send('POST', path, { json })).status).toBe(201);
    await gateway.send('PUT', `${path}/${KNOWN.schedule}`, { json: { enabled: false } });
    await gateway.send('DELETE', `${path}/${KNOWN.schedule}`);
    const { data } = await audit(`?resourceId=${KNOWN.schedule}`);
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'deleteSchedule',
      'updateSchedule',
      'createSchedule',
    ]);
  });

  it('omits failed requests, reads and other teams', async () => {
    const total = async () => (await audit()).meta.total;
    const before = await total();
    await gateway.send('POST', '/api/v1/collections', { json: {} });
    await gateway.send('GET', '/api/v1/collections');
    await gateway.send('POST', '/api/v1/search', { json: { query: 'x' } });
    await gateway.send('POST', '/api/v1/collections', { key: gateway.otherKeys.secretKey, json: { name: 'Other' } });
    expect(await total()).toBe(before);
  });

  it('can be filtered by action, key and time', async () => {
    const { data } = await audit(`?action=updateCollection&keyId=${gateway.keys.id}&from=2020-01-01`);
    expect(data).toHaveLength(1);
    expect((await audit('?to=2020-01-01T00:00:00Z')).data).toEqual([]);
    expectError(await gateway.send('GET', '/api/v1/audit?from=yesterday'), 400, 'invalid_request', 'from');
  });
});
