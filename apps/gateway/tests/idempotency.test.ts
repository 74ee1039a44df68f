import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isId } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';
import type { Replica } from './support/replica.ts';

let gateway: TestGateway;
let replica: Replica;
beforeAll(async () => {
  gateway = await startTestGateway();
  replica = await gateway.startReplica();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
});
afterEach(() => {
  gateway.services.failWith = undefined;
  gateway.services.failItemsWith = undefined;
});

const COLLECTIONS = '/api/v1/collections';
let keys = 0;
const newIdempotencyKey = () => {
  keys += 1;
  return `retry-${keys}`;
};
const headers = (key: string) => ({ 'Idempotency-Key': key });
const create = (key: string, name = 'Handbook') =>
  gateway.send('POST', COLLECTIONS, { json: { name }, headers: headers(key) });
const created = () => gateway.services.calls.filter(({ method }) => method === 'createCollection').length;

describe('an Idempotency-Key', () => {
  it('replays the first response in the envelope of the new request', async () => {
    const key = newIdempotencyKey();
    const first = await create(key);
    const second = await create(key);
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.status).toBe(201);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.json.data).toEqual(first.json.data);
    expect(second.json.meta.requestId).toBe(second.headers.get('x-request-id'));
    expect(created()).toBe(1);
  });

  it('compares request bodies by value, not by formatting', async () => {
    const key = newIdempotencyKey();
    const post = (body: string) =>
      gateway.send('POST', COLLECTIONS, { body, headers: { ...headers(key), 'Content-Type': 'application/json' } });
    await post('{"name":"A","description":"B"}');
    expect((await post('{ "description": "B", "name": "A" }')).status).toBe(201);
    expectError(await post('{"name":"A"}'), 409, 'conflict');
    expect(created()).toBe(1);
  });

  it('applies to one key pair, method and path', async () => {
    const key = newIdempotencyKey();
    await create(key);
    const json = { name: 'Handbook' };
    await gateway.send('POST', COLLECTIONS, { key: gateway.otherKeys.secretKey, json, headers: headers(key) });
    expect(created()).toBe(2);
    const documents = `${COLLECTIONS}/${KNOWN.collection}/documents`;
    const document = { json: { title: 'T', content: 'C' }, headers: headers(key) };
    expect((await gateway.send('POST', documents, document)).status).toBe(201);
  });

  it('runs the request once if it arrives fifty times concurrently at two gateways', async () => {
    const key = newIdempotencyKey();
    const { secretKey } = gateway.keys;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        send([gateway.url, replica.url][n % 2]!, secretKey, 'POST', COLLECTIONS, {
          json: { name: 'Once' },
          headers: headers(key),
        }),
      ),
    );
    for (const response of responses) {
      expect(response.status).toBe(201);
      expect(response.json.data).toEqual(responses[0]!.json.data);
    }
    expect(responses.filter((response) => response.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(created()).toBe(1);
  });

  it('does not replay failures', async () => {
    const key = newIdempotencyKey();
    gateway.services.failWith = new AppError('unavailable', 'Unavailable.');
    expectError(await create(key), 503, 'unavailable');
    gateway.services.failWith = undefined;
    expect((await create(key)).status).toBe(201);
    expectError(await create(newIdempotencyKey(), ''), 400, 'invalid_request');
  });

  it.each([
    ['document', `${COLLECTIONS}/${KNOWN.collection}/documents`, { title: 'T', content: 'C' }, { title: 'Other' }],
    ['collection', COLLECTIONS, { name: 'Handbook' }, { name: 'Other' }],
    ['agent', '/api/v1/agents', { name: 'Helper', systemPrompt: 'You help.' }, { name: 'Other' }],
    ['agent', `/api/v1/agents/from-template/${KNOWN.template}`, { name: 'Sam' }, { name: 'Other' }],
    ['connector', '/api/v1/connectors', { name: 'F', type: 'upload', collection: KNOWN.collection }, { name: 'Other' }],
    ['job', `/api/v1/connectors/${KNOWN.connector}/sync`, {}, { sync_mode: 'full' }],
  ] as const)(
    'gives the %s the same id in every attempt at %s, so that a retry finds it',
    async (kind, path, body, other) => {
      const key = newIdempotencyKey();
      const post = (json: object) => gateway.send('POST', path, { json, headers: headers(key) });
      for (const code of ['unavailable', 'timeout'] as const) {
        gateway.services.failWith = new AppError(code, 'Lost.');
        expectError(await post(body), code === 'timeout' ? 504 : 503, code);
      }
      gateway.services.failWith = undefined;
      expect((await post(body)).status).toBeLessThan(300);
      const ids = gateway.services.calls.map(({ request }) => Reflect.get(Object(request), 'id'));
      expect(ids).toHaveLength(3);
      expect(new Set(ids).size).toBe(1);
      expect(isId(kind, ids[0])).toBe(true);
      expectError(await post({ ...body, ...other }), 409, 'conflict');
    },
  );

  it.each([
    ['internal_error', null],
    ['conflict', 'true'],
  ])(
    'stores the response to a batch with failed documents only if their results are certain: %s',
    async (code, replayed) => {
      const key = newIdempotencyKey();
      const documents = [
        { title: 'A', content: 'Thirty days.' },
        { title: 'B', content: 'Forty days.' },
      ];
      const post = () =>
        gateway.send('POST', `${COLLECTIONS}/${KNOWN.collection}/documents/batch`, {
          json: { documents },
          headers: headers(key),
        });
      gateway.services.failItemsWith = { code, message: 'Failed.' };
      const first = await post();
      expect(first.status).toBe(200);
      expect(first.json.data).toMatchObject({ created: 1, failed: 1 });
      gateway.services.failItemsWith = undefined;
      const second = await post();
      expect(second.headers.get('idempotent-replayed')).toBe(replayed);
      expect(second.json.data.failed).toBe(replayed === null ? 0 : 1);
      const idsSent = gateway.services.calls.map(({ request }) =>
        Object(request).documents.map(({ id }: { id: string }) => id),
      );
      expect(idsSent).toHaveLength(replayed === null ? 2 : 1);
      expect(idsSent.at(-1)).toEqual(idsSent[0]);
      expect((await post()).headers.get('idempotent-replayed')).toBe('true');
    },
  );

  it('distinguishes uploads by their files', async () => {
    const key = newIdempotencyKey();
    gateway.services.uploads.length = 0;
    const upload = (text: string) => {
      const body = new FormData();
      body.append('files', new File([text], 'a.txt', { type: 'text/plain' }));
      return gateway.send('POST', `/api/v1/connectors/${KNOWN.connector}/files/upload`, {
        body,
        headers: headers(key),
      });
    };
    expect((await upload('Thirty days.')).status).toBe(202);
    // FormData chooses another boundary each time.
    expect((await upload('Thirty days.')).headers.get('idempotent-replayed')).toBe('true');
    expectError(await upload('Forty days..'), 409, 'conflict');
    expect(gateway.services.uploads).toHaveLength(1);
    expect(gateway.services.uploads[0]?.files).toMatchObject([{ text: 'Thirty days.' }]);
  });

  it('replays new API keys without storing them in plain text', async () => {
    const key = newIdempotencyKey();
    const createPair = () => gateway.send('POST', '/api/v1/api-keys', { json: { name: 'x' }, headers: headers(key) });
    const first = await createPair();
    expect((await createPair()).json.data).toEqual(first.json.data);
    const stored = await gateway.db.idempotentRequest.findMany();
    const text = stored.map(({ answer }) => Buffer.from(answer ?? []).toString('latin1')).join();
    expect(text).toContain('Handbook');
    expect(text).not.toContain(first.json.data.secretKey.slice(11, 30));
  });

  it('must be a short string of visible characters', async () => {
    for (const key of [' ', 'x'.repeat(256), '\u00e9', '']) {
      expectError(await create(key), 400, 'invalid_request', 'Idempotency-Key');
    }
  });

  it('applies to one end user', async () => {
    const key = newIdempotencyKey();
    const name = `sent with ${key}`;
    const send = (user: string | undefined) =>
      gateway.send('POST', '/api/v1/analytics/events', {
        json: { name },
        headers: { ...headers(key), ...(user === undefined ? {} : { 'X-Service-User': user }) },
      });
    const replayed = async (user: string | undefined) =>
      (await send(user)).headers.get('idempotent-replayed') === 'true';
    const first = [await replayed('ada@example.com'), await replayed('bob@example.com'), await replayed(undefined)];
    expect(first).toEqual([false, false, false]);
    const second = [await replayed(' ADA@Example.com '), await replayed('bob@example.com'), await replayed(undefined)];
    expect(second).toEqual([true, true, true]);
    expect(await gateway.db.analyticsEvent.count({ where: { name } })).toBe(3);
  });

  it('is not replayed once the scope of its key has changed', async () => {
    const key = newIdempotencyKey();
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'narrowed');
    const send = () =>
      gateway.send('POST', COLLECTIONS, { key: pair.secretKey, json: { name: 'Secret' }, headers: headers(key) });
    expect((await send()).status).toBe(201);
    expect((await send()).headers.get('idempotent-replayed')).toBe('true');
    const path = `/api/v1/api-keys/${pair.id}`;
    await gateway.send('PUT', path, { json: { allow_all_collections: false } });
    const narrowed = await send();
    expectError(narrowed, 403, 'forbidden');
    expect(narrowed.text).not.toContain(KNOWN.collection);
    await gateway.send('PUT', path, { json: { allow_all_collections: true } });
    expect((await send()).headers.get('idempotent-replayed')).toBe('true');
  });

  it.each([
    ['document', `${COLLECTIONS}/${KNOWN.collection}/documents`, { title: 'T', content: 'C' }, 'documents/DOCUMENT'],
    [
      'document, with its collection',
      `${COLLECTIONS}/${KNOWN.collection}/documents`,
      { title: 'T', content: 'C' },
      'collections/COLLECTION',
    ],
    [
      'document of a connector',
      `${COLLECTIONS}/${KNOWN.collection}/documents`,
      { title: 'T', content: 'C' },
      'connectors/CONNECTOR/documents/DOCUMENT',
    ],
    [
      'documents of a batch',
      `${COLLECTIONS}/${KNOWN.collection}/documents/batch`,
      { documents: [{ title: 'T', content: 'C' }] },
      'documents/DOCUMENT',
    ],
    ['collection', COLLECTIONS, { name: 'Handbook' }, 'collections/COLLECTION'],
    ['agent', '/api/v1/agents', { name: 'Helper', systemPrompt: 'You help.' }, 'agents/AGENT'],
    [
      'connector',
      '/api/v1/connectors',
      { name: 'F', type: 'upload', collection: KNOWN.collection },
      'connectors/CONNECTOR',
    ],
    ['job, with its connector', `/api/v1/connectors/${KNOWN.connector}/sync`, {}, 'connectors/CONNECTOR'],
    ['reply, with its conversation', 'teams/TEAM/chat', { message: 'Leave?' }, 'teams/TEAM/conversations/CONVERSATION'],
  ])('is deleted with the %s that its response is about', async (_what, path, json, deleted) => {
    const at = (text: string) =>
      (text.startsWith('/') ? text : `/api/v1/${text}`)
        .replace('COLLECTION', KNOWN.collection)
        .replace('DOCUMENT', KNOWN.document)
        .replace('CONNECTOR', KNOWN.connector)
        .replace('AGENT', KNOWN.agent)
        .replace('CONVERSATION', KNOWN.conversation)
        .replace('TEAM', gateway.keys.teamId);
    const key = newIdempotencyKey();
    const post = () => gateway.send('POST', at(path), { json, headers: headers(key) });
    expect((await post()).status).toBeLessThan(300);
    expect((await post()).headers.get('idempotent-replayed')).toBe('true');
    expect((await gateway.send('DELETE', at(deleted))).status).toBe(200);
    expect((await post()).headers.get('idempotent-replayed')).toBeNull();
  });

  it('is deleted with the key pair that was created or used', async () => {
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'leaver');
    const key = newIdempotencyKey();
    await gateway.send('POST', COLLECTIONS, { key: pair.secretKey, json: { name: 'L' }, headers: headers(key) });
    const stored = () => gateway.db.idempotentRequest.count({ where: { subjects: { has: pair.id } } });
    expect(await stored()).toBe(1);
    await gateway.send('DELETE', `/api/v1/api-keys/${pair.id}`);
    expect(await stored()).toBe(0);
  });

  it.each(['chat', `conversations/${KNOWN.conversation}/regenerate`])(
    'does not replay a reply of %s that its caller can no longer read, and does not run it again',
    async (path) => {
      const key = newIdempotencyKey();
      const requestReply = () =>
        gateway.send('POST', `/api/v1/teams/${gateway.keys.teamId}/${path}`, {
          json: path === 'chat' ? { message: 'Leave?' } : {},
          headers: headers(key),
        });
      const first = await requestReply();
      expect((await requestReply()).headers.get('idempotent-replayed')).toBe('true');
      gateway.services.withheld = true;
      try {
        const rejected = await requestReply();
        expectError(rejected, 409, 'conflict', 'may no longer read');
        expect(rejected.text).not.toContain(first.json.data.content.slice(0, 8));
      } finally {
        gateway.services.withheld = false;
      }
      expectError(await requestReply(), 409, 'conflict', 'may no longer read');
      const replyCalls = gateway.services.calls.filter(({ method }) => method === 'chat' || method === 'regenerate');
      expect(replyCalls).toHaveLength(1);
      expect(await gateway.db.idempotentRequest.count({ where: { answer: new Uint8Array() } })).toBeGreaterThan(0);
    },
  );

  it('expires after a day', async () => {
    const key = newIdempotencyKey();
    await create(key);
    await gateway.db.idempotentRequest.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await create(key)).headers.get('idempotent-replayed')).toBeNull();
    expect(created()).toBe(2);
  });
});
