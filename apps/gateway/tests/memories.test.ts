import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryKind } from '@lectern/contracts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN, WHEN, WHEN_TEXT } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const path = `/api/v1/agents/${KNOWN.agent}/memories`;
const lastCall = (method: string) => gateway.services.calls.findLast((call) => call.method === method);
const record = {
  id: KNOWN.memory,
  agentId: KNOWN.agent,
  kind: 'preference',
  content: 'The user prefers short answers.',
  metadata: { by: 'Ada' },
  source: { conversationId: KNOWN.conversation },
  importance: 0.8,
  expiresAt: WHEN_TEXT,
  proposed: false,
  createdAt: WHEN_TEXT,
  updatedAt: WHEN_TEXT,
};

describe('memories', () => {
  it('are created with 201, or with 200 if they were merged, also when replayed', async () => {
    const source = { conversationId: KNOWN.conversation };
    const body = {
      kind: 'insight',
      content: ' New. ',
      metadata: { a: 1 },
      source,
      importance: 0,
      expiresAt: WHEN_TEXT,
    };
    const created = await gateway.send('POST', path, { json: body });
    expect([created.status, created.json.data]).toEqual([201, record]);
    expect(lastCall('createMemory')?.request).toMatchObject({
      agentId: KNOWN.agent,
      kind: MemoryKind.INSIGHT,
      content: 'New.',
      metadata: { a: 1 },
      conversationId: KNOWN.conversation,
      importance: 0,
      expiresAt: WHEN,
    });
    const again = { json: { content: 'Known before.' }, headers: { 'Idempotency-Key': 'again' } };
    for (let time = 0; time < 2; time += 1) {
      const merged = await gateway.send('POST', path, again);
      expect([merged.status, merged.json.data]).toEqual([200, record]);
    }
    expect(lastCall('createMemory')?.request).toMatchObject({ kind: MemoryKind.FACT, importance: undefined });
  });

  it('can be listed by kind and searched with scores', async () => {
    const listed = await gateway.send('GET', `${path}?kind=fact&page=2&limit=5`);
    expect(listed.json.data).toEqual([record]);
    expect(listed.json.meta).toMatchObject({ page: 1, limit: 20, total: 1, hasMore: false });
    expect(lastCall('listMemories')?.request).toMatchObject({ kind: MemoryKind.FACT, page: { page: 2, limit: 5 } });
    const found = await gateway.send('GET', `${path}/search?query=short%20answers&kind=preference&limit=3`);
    expect(found.json.data).toEqual([{ ...record, score: 0.7 }]);
    const expected = { agentId: KNOWN.agent, query: 'short answers', kind: MemoryKind.PREFERENCE, limit: 3 };
    expect(lastCall('searchMemories')?.request).toEqual(expected);
  });

  it('can be read, partly updated and deleted', async () => {
    expect((await gateway.send('GET', `${path}/${KNOWN.memory}`)).json.data).toEqual(record);
    const ids = { agentId: KNOWN.agent, id: KNOWN.memory };
    await gateway.send('PUT', `${path}/${KNOWN.memory}`, { json: { source: null, expiresAt: null, proposed: false } });
    const cleared = { ...ids, conversationId: '', clearExpiresAt: true, proposed: false, content: undefined };
    expect(lastCall('updateMemory')?.request).toMatchObject(cleared);
    const changed = await gateway.send('PUT', `${path}/${KNOWN.memory}`, { json: { kind: 'fact', importance: 0.1 } });
    expect(changed.json.data).toEqual(record);
    const unchanged = { conversationId: undefined, clearExpiresAt: false, kind: MemoryKind.FACT, importance: 0.1 };
    expect(lastCall('updateMemory')?.request).toMatchObject(unchanged);
    const deleted = await gateway.send('DELETE', `${path}/${KNOWN.memory}`);
    expect(deleted.json.data).toEqual({ id: KNOWN.memory, deleted: true });
  });

  it.each([
    [{}, 'content'],
    [{ content: ' ' }, 'content'],
    [{ content: 'x', kind: 'rumor' }, 'kind'],
    [{ content: 'x', importance: 2 }, 'importance'],
    [{ content: 'x', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ content: 'x', source: { url: 'x' } }, 'source.url'],
    [{ content: 'x', proposed: true }, 'proposed'],
    [{ content: 'x', metadata: 'x' }, 'metadata'],
  ])('are rejected for %j', async (json, at) => {
    const rejected = await gateway.send('POST', path, { json });
    expect([rejected.status, rejected.json.error.details.issues[0].path]).toEqual([400, at]);
  });

  it.each(['', '?query=', '?query=x&kind=rumor', '?query=x&limit=0', '?query=x&limit=101', '?query=x&query=y'])(
    'cannot be searched with %j',
    async (query) => {
      expect((await gateway.send('GET', `${path}/search${query}`)).status).toBe(400);
    },
  );
});
