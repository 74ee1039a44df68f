import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import { createKeyPair } from '#keys/pair-store';
import { type Endpoint, startEndpoint, verify, withStatus } from './support/endpoint.ts';
import { expectError } from './support/expect-error.ts';
import { type SendInit, startTestGateway, type TestGateway } from './support/gateway.ts';
import { signInAs } from './support/people.ts';
import { KNOWN } from './support/records.ts';

let gateway: TestGateway;
let endpoint: Endpoint;
beforeAll(async () => {
  gateway = await startTestGateway({ WEBHOOK_ALLOW_HTTP: 'true' });
  endpoint = await startEndpoint();
});
afterAll(async () => {
  await gateway.stop();
  await endpoint.stop();
});
afterEach(async () => {
  await gateway.db.webhook.deleteMany({ where: { id: { not: KNOWN.webhook } } });
  endpoint.received.length = 0;
  endpoint.respond = (response) => response.writeHead(204).end();
});

const call = async (method: string, path: string, init: SendInit = {}) => {
  const response = await gateway.send(method, `/api/v1/webhooks${path}`, init);
  expect([response.status < 300, response.json.error]).toEqual([true, undefined]);
  return response.json.data;
};
const create = (fields: object = {}, init: SendInit = {}) =>
  call('POST', '', { ...init, json: { url: endpoint.url, events: ['document.indexed'], ...fields } });

/** Records an event in a service. */
function happen(fields: { type?: string; teamId?: string; collectionIds?: string[]; resource?: string } = {}) {
  const resource = fields.resource ?? newId('document');
  const data = { id: resource, collectionId: KNOWN.collection, connectorId: null, version: 1 };
  gateway.services.events.push({
    id: randomUUID(),
    teamId: gateway.keys.teamId,
    type: 'document.indexed',
    collectionIds: [KNOWN.collection],
    webhookId: undefined,
    data,
    occurredAt: new Date(),
    ...fields,
    resource,
  });
  return resource;
}
const receivedResources = () => endpoint.received.map(({ payload }) => payload.data.id);
const received = (count: number) =>
  waitUntil(async () => endpoint.received.length >= count, { what: `${count} events`, timeoutMs: 15_000 });
const until = (condition: () => Promise<boolean>) =>
  waitUntil(condition, { what: 'the state of the webhook', timeoutMs: 15_000 });
const deliveries = (id: string, query = '') => call('GET', `/${id}/deliveries${query}`);

describe('a webhook', () => {
  it('receives the events that it asks for, signed as Standard Webhooks describes', async () => {
    const { id, secret, state } = await create();
    expect([state, secret]).toEqual(['active', expect.stringMatching(/^whsec_/)]);
    expect(gateway.services.interests.get(gateway.keys.teamId)).toEqual(['document.indexed']);
    happen({ type: 'document.deleted' });
    happen({ teamId: gateway.otherKeys.teamId });
    const document = happen();
    await received(1);
    expect(receivedResources()).toEqual([document]);
    const [request] = endpoint.received;
    expect(request!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Lectern-Webhooks/1' });
    expect(verify(secret, request!)).toEqual({
      type: 'document.indexed',
      timestamp: expect.stringMatching(/Z$/),
      data: { id: document, collectionId: KNOWN.collection, connectorId: null, version: 1 },
    });
    expect(() => verify(secret, { ...request!, body: `${request!.body} ` })).toThrow('No matching signature');
    await until(async () => (await deliveries(id))[0]?.status === 'delivered');
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({
      eventId: request!.headers['webhook-id'],
      type: 'document.indexed',
      resource: document,
      attemptCount: 1,
      lastAttempt: { responseStatus: 204, error: null },
    });
    expect(await call('GET', `/${id}/deliveries/${delivery.id}`)).toMatchObject({
      payload: request!.payload,
      attempts: [{ responseStatus: 204 }],
    });
  });

  it('signs with both secrets during the overlap of a rotation', async () => {
    const { id, secret } = await create();
    const rotated = await call('POST', `/${id}/rotate-secret`, { json: {} });
    expect(rotated.secret).not.toBe(secret);
    expect(Date.parse(rotated.previousSecretUntil)).toBeGreaterThan(Date.now());
    happen();
    await received(1);
    expect(verify(secret, endpoint.received[0]!)).toEqual(verify(rotated.secret, endpoint.received[0]!));
    const last = await call('POST', `/${id}/rotate-secret`, { json: { overlapSeconds: 0 } });
    happen();
    await received(2);
    verify(last.secret, endpoint.received[1]!);
    for (const old of [secret, rotated.secret]) expect(() => verify(old, endpoint.received[1]!)).toThrow();
  });

  it('stores its secret sealed, and never returns it again', async () => {
    const { id, secret } = await create();
    const row = await gateway.db.webhook.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(row.sealed).toString('latin1')).not.toContain(secret);
    for (const path of ['', `/${id}`]) {
      expect(JSON.stringify(await call('GET', path))).not.toContain(secret.slice(6));
    }
    const audit = await gateway.db.auditEvent.findMany({ where: { resourceId: id } });
    expect(audit.map(({ action }) => action)).toEqual(['createWebhook']);
    expect(JSON.stringify(audit)).not.toContain(secret.slice(6));
  });

  it('is sent a test, whose result the response contains', async () => {
    const { id, secret } = await create({ enabled: false });
    const delivered = await call('POST', `/${id}/test`, { json: {} });
    expect(delivered).toMatchObject({ type: 'webhook.test', status: 'delivered', attemptCount: 1 });
    expect(verify(secret, endpoint.received[0]!)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
    endpoint.respond = withStatus(500, `Broken \u0000${'x'.repeat(5_000)}`);
    const failed = await call('POST', `/${id}/test`, { json: {} });
    expect(failed).toMatchObject({
      status: 'failed',
      lastAttempt: { responseStatus: 500, error: 'The endpoint returned 500.' },
    });
    expect(failed.lastAttempt.response).toHaveLength(1_024);
    expectError(
      await gateway.send('POST', `/api/v1/webhooks/${id}/deliveries/${failed.id}/replay`, { json: {} }),
      409,
      'conflict',
      'disabled',
    );
  });

  it('is sent failed events again when somebody replays them', async () => {
    const { id } = await create();
    endpoint.respond = withStatus(410);
    const document = happen();
    await until(async () => (await call('GET', `/${id}`)).state === 'disabled');
    expect(await call('GET', `/${id}`)).toMatchObject({ disabledReason: 'gone', pendingEvents: 1 });
    await until(async () => gateway.services.interests.get(gateway.keys.teamId)?.length === 0);
    endpoint.respond = withStatus(200);
    expect(await call('PUT', `/${id}`, { json: { enabled: true } })).toMatchObject({ disabledReason: null });
    const [delivery] = await deliveries(id, '?status=pending');
    const replayed = await call('POST', `/${id}/deliveries/${delivery.id}/replay`, { json: {} });
    expect(replayed).toMatchObject({ status: 'pending', attemptCount: 0 });
    await received(2);
    expect(receivedResources()).toEqual([document, document]);
    const ids = endpoint.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('receives nothing after its deletion', async () => {
    const { id } = await create();
    const gate = Promise.withResolvers<void>();
    endpoint.respond = (response) => void gate.promise.then(() => response.writeHead(500).end());
    happen();
    await received(1);
    const deletion = call('DELETE', `/${id}`);
    gate.resolve();
    expect(await deletion).toEqual({ id, deleted: true });
    expect(await gateway.db.webhookDelivery.count({ where: { webhookId: id } })).toBe(0);
    expectError(await gateway.send('GET', `/api/v1/webhooks/${id}`), 404, 'not_found');
  });

  it('is rejected without TLS unless the operator allows it', async () => {
    const strict = await startTestGateway();
    const json = { url: 'http://example.com/hook', events: [] };
    expectError(await strict.send('POST', '/api/v1/webhooks', { json }), 400, 'invalid_request', 'url');
    await strict.stop();
  });

  it('has a limit for each team', async () => {
    await gateway.db.webhook.deleteMany({ where: { teamId: gateway.otherKeys.teamId } });
    const key = gateway.otherKeys.secretKey;
    for (let count = 0; count < 50; count += 1) await create({ events: [] }, { key });
    const json = { url: endpoint.url, events: [] };
    expectError(await gateway.send('POST', '/api/v1/webhooks', { json, key }), 409, 'conflict', '50 webhooks');
  }, 60_000);
});

describe('the scope of the creator', () => {
  const restricted = (settings: object = {}) =>
    createKeyPair(gateway.db, gateway.keys.teamId, 'restricted', {
      allowAllCollections: false,
      allowedCollections: [KNOWN.collection],
      ...settings,
    });

  it('limits the events when they are sent', async () => {
    const pair = await restricted();
    const key = pair.secretKey;
    const { id } = await create({ events: ['document.indexed', 'feedback.created'] }, { key });
    const other = newId('collection');
    happen({ collectionIds: [other] });
    happen({ type: 'feedback.created', collectionIds: [], resource: newId('message') });
    const document = happen();
    await received(1);
    expect(receivedResources()).toEqual([document]);
    // The event was stored while the key had access.
    await gateway.db.webhook.update({ where: { id }, data: { pausedUntil: new Date(Date.now() + 3_600_000) } });
    happen();
    await until(async () => (await deliveries(id)).length === 2);
    const json = { allowed_collections: [] };
    expect((await gateway.send('PUT', `/api/v1/api-keys/${pair.id}`, { json })).status).toBe(200);
    await gateway.db.webhook.update({ where: { id }, data: { pausedUntil: null } });
    await until(async () => (await deliveries(id, '?status=skipped')).length === 1);
    expect(endpoint.received).toHaveLength(1);
    // The key does not even see any more what it received.
    expect((await gateway.send('GET', `/api/v1/webhooks/${id}/deliveries`, { key })).json.data).toEqual([]);
  });

  it('hides the webhooks of others from a restricted key', async () => {
    const { id } = await create();
    const key = (await restricted()).secretKey;
    expect(await call('GET', '', { key })).toEqual([]);
    expectError(await gateway.send('GET', `/api/v1/webhooks/${id}`, { key }), 404, 'not_found');
    const own = await create({}, { key });
    expect((await call('GET', '', { key })).map((it: { id: string }) => it.id)).toEqual([own.id]);
    expect(await call('GET', '')).toHaveLength(3);
  });

  it('rejects events and collections that the key has no access to', async () => {
    const { secretKey: key } = await createKeyPair(gateway.db, gateway.keys.teamId, 'keys', { rights: ['keys'] });
    const json = { url: endpoint.url, events: ['feedback.created'] };
    expectError(await gateway.send('POST', '/api/v1/webhooks', { json, key }), 403, 'forbidden', 'right "chat"');
    const unknown = { url: endpoint.url, collections: [newId('collection')] };
    expectError(
      await gateway.send('POST', '/api/v1/webhooks', { json: { ...unknown, events: [] } }),
      400,
      'invalid_request',
    );
  });

  it('disables the webhook when the creator loses access', async () => {
    const person = await signInAs(gateway.db, gateway.keys.teamId, 'admin');
    const pair = await restricted();
    const created = [
      await create({}, { key: null, headers: person.headers }),
      await create({}, { key: pair.secretKey }),
    ];
    await gateway.db.person.update({ where: { id: person.id }, data: { role: 'editor' } });
    await gateway.db.keyPair.update({ where: { id: pair.id }, data: { revokedAt: new Date() } });
    happen();
    for (const { id } of created) {
      await until(async () => (await call('GET', `/${id}`)).state === 'disabled');
      expect(await call('GET', `/${id}`)).toMatchObject({ disabledReason: 'creator' });
      const action = { action: 'disableWebhook', resourceId: id };
      expect(await gateway.db.auditEvent.count({ where: action })).toBe(1);
    }
    expect(endpoint.received).toEqual([]);
  });
});
