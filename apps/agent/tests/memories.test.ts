import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AgentServiceDefinition,
  type CreateMemoryRequest,
  MemoryKind,
  MemoryServiceDefinition,
} from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, newId, prismaOptions } from '@lectern/service-kit';
import {
  callAs,
  createCaller,
  type TestDatabase,
  type TestQdrant,
  testDatabase,
  testQdrant,
  waitUntil,
} from '@lectern/testing';
import { readConfig } from '#config';
import { type Context, createContext } from '#context';
import { PrismaClient } from '#gen/prisma/client';
import { reconcileMemories } from '#memories/maintain-memories';
import { startAgent } from '#server';

const team = createCaller();
const closing: (() => unknown)[] = [];
let database: TestDatabase;
let qdrant: TestQdrant;
let db: PrismaClient;
let context: Context;
let agents: GrpcClient<typeof AgentServiceDefinition>;
let memories: GrpcClient<typeof MemoryServiceDefinition>;

const newAgent = async (caller: Caller = team, fields: object = {}): Promise<string> =>
  (await agents.createAgent({ name: 'Helper', systemPrompt: 'Be brief.', ...fields }, callAs(caller))).id;
const remember = (agentId: string, content: string, fields: Partial<CreateMemoryRequest> = {}, caller: Caller = team) =>
  memories.createMemory({ agentId, content, ...fields }, callAs(caller));
const search = async (agentId: string, query: string, fields: object = {}, caller: Caller = team) =>
  (await memories.searchMemories({ agentId, query, ...fields }, callAs(caller))).hits;
const found = async (agentId: string, query: string, fields: object = {}, caller: Caller = team) =>
  (await search(agentId, query, fields, caller)).map(({ memory }) => memory?.content);
const listed = async (agentId: string, caller: Caller = team) =>
  (await memories.listMemories({ agentId }, callAs(caller))).memories.map(({ content }) => content);
const asRun = (caller: Caller) => ({
  caller,
  requestId: newId('request'),
  signal: new AbortController().signal,
  log: context.log,
});
const stored = async (): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { document } of context.memoryIndex.stored(team.teamId)) ids.push(document);
  return ids;
};

beforeAll(async () => {
  [database, qdrant] = await Promise.all([testDatabase(), testQdrant()]);
  closing.push(() => database.drop());
  closing.push(() => qdrant.stop());
  const config = readConfig({
    DATABASE_URL: database.url,
    QDRANT_URL: qdrant.url,
    QDRANT_PREFIX: `test_${crypto.randomUUID()}_`,
    GRPC_ADDRESS: '127.0.0.1:0',
    AGENT_SWEEP_INTERVAL_MS: '100',
    LOG_LEVEL: 'silent',
  });
  const app = await startAgent(config);
  closing.push(() => app.stop());
  context = createContext(config);
  closing.push(() => context.close());
  db = new PrismaClient(prismaOptions({ url: database.url, schema: 'agent' }));
  closing.push(() => db.$disconnect());
  const connection = connectGrpc(`127.0.0.1:${app.port}`);
  closing.push(() => connection.close());
  agents = connection.client(AgentServiceDefinition);
  memories = connection.client(MemoryServiceDefinition);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

describe('a memory', () => {
  it('can be created, read, updated and deleted', async () => {
    const agentId = await newAgent();
    const conversationId = newId('conversation');
    const expiresAt = new Date(Date.now() + 3_600_000);
    const fields = { kind: MemoryKind.PROCEDURE, importance: 0.9, conversationId, expiresAt, metadata: { by: 'Ada' } };
    const { memory, merged } = await remember(agentId, ' Deploy on Mondays only. ', fields);
    expect(merged).toBe(false);
    const expected = { ...fields, agentId, content: 'Deploy on Mondays only.', proposed: false };
    expect(memory).toMatchObject({ ...expected, id: expect.stringMatching(/^mem_/) });
    const id = memory!.id;
    expect(await memories.getMemory({ agentId, id }, callAs(team))).toEqual(memory);

    const change = { content: 'Deploy on Tuesdays only.', conversationId: '', clearExpiresAt: true };
    const changed = await memories.updateMemory({ agentId, id, ...change }, callAs(team));
    const { content } = change;
    expect(changed).toMatchObject({ ...expected, content, conversationId: undefined, expiresAt: undefined });
    expect(await found(agentId, 'tuesdays')).toEqual([content]);

    expect(await memories.deleteMemory({ agentId, id }, callAs(team))).toEqual({ id });
    const notFound = { code: 'not_found', details: { resource: 'memory', id } };
    await expect(memories.deleteMemory({ agentId, id }, callAs(team))).rejects.toMatchObject(notFound);
    await expect(memories.getMemory({ agentId, id }, callAs(team))).rejects.toMatchObject(notFound);
    expect(await found(agentId, 'deploy')).toEqual([]);
  });

  it('is a fact of medium importance by default', async () => {
    const { memory } = await remember(await newAgent(), 'The office is in Berlin');
    expect(memory).toMatchObject({ kind: MemoryKind.FACT, importance: 0.5, metadata: {} });
  });

  it.each<[string, Partial<CreateMemoryRequest>, string]>([
    ['no content', { content: ' ' }, 'content'],
    ['too much content', { content: 'x'.repeat(4_001) }, 'content'],
    ['a character that cannot be stored', { content: 'a\u0000' }, 'content'],
    ['an importance above 1', { importance: 1.1 }, 'importance'],
    ['an importance that is not a number', { importance: Number.NaN }, 'importance'],
    ['an expiry in the past', { expiresAt: new Date(0) }, 'expiresAt'],
    ['an invalid conversation id', { conversationId: 'x' }, 'source.conversationId'],
    ['metadata that is too large', { metadata: { x: 'x'.repeat(20_000) } }, 'metadata'],
  ])('is rejected if it has %s, with an error that names the field', async (_what, fields, path) => {
    const agentId = await newAgent();
    const error = { code: 'invalid_request', details: { issues: [expect.objectContaining({ path })] } };
    await expect(remember(agentId, 'Tea', fields)).rejects.toMatchObject(error);
    const { memory } = await remember(agentId, 'Tea');
    const update = { agentId, id: memory!.id, ...fields };
    await expect(memories.updateMemory(update, callAs(team))).rejects.toMatchObject(error);
  });

  it('is merged into an equivalent one, also if both are created concurrently', async () => {
    const agentId = await newAgent();
    const kind = MemoryKind.PREFERENCE;
    const first = await remember(agentId, 'User prefers answers in German', {
      kind,
      importance: 0.3,
      metadata: { a: 1 },
    });
    const second = await remember(agentId, 'The user prefers answers in German.', {
      kind,
      importance: 0.8,
      metadata: { b: 2 },
    });
    expect(second.merged).toBe(true);
    expect(second.memory).toMatchObject({ id: first.memory!.id, importance: 0.8, metadata: { a: 1, b: 2 } });
    expect((await remember(agentId, 'The user prefers answers in French.', { kind })).merged).toBe(false);
    expect((await remember(agentId, 'User prefers answers in German')).merged).toBe(false);
    const many = await Promise.all(Array.from({ length: 8 }, () => remember(agentId, 'Lunch is at noon')));
    expect(many.filter(({ merged }) => !merged)).toHaveLength(1);
    expect(await listed(agentId)).toHaveLength(4);
  });

  it('is deleted with its vectors after it has expired', async () => {
    const agentId = await newAgent();
    const { memory } = await remember(agentId, 'The lift is broken', { expiresAt: new Date(Date.now() + 60_000) });
    const id = memory!.id;
    await waitUntil(async () => (await stored()).includes(id), { what: 'the vector', timeoutMs: 5_000 });
    await db.memory.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await found(agentId, 'lift')).toEqual([]);
    expect(await listed(agentId)).toEqual([]);
    await expect(memories.getMemory({ agentId, id }, callAs(team))).rejects.toMatchObject({ code: 'not_found' });
    const isGone = async () => (await db.memory.count({ where: { id } })) === 0 && !(await stored()).includes(id);
    await waitUntil(isGone, { what: 'the expired memory to be deleted', timeoutMs: 5_000 });
  });

  it('is deleted with its agent', async () => {
    const agentId = await newAgent();
    const { memory } = await remember(agentId, 'Nothing lasts');
    await agents.deleteAgent({ id: agentId }, callAs(team));
    const error = { code: 'not_found', details: { resource: 'agent', id: agentId } };
    await expect(memories.listMemories({ agentId }, callAs(team))).rejects.toMatchObject(error);
    expect(await db.memory.count({ where: { agentId } })).toBe(0);
    await waitUntil(async () => !(await stored()).includes(memory!.id), {
      what: 'the vector to be deleted',
      timeoutMs: 5_000,
    });
  });
});

describe('a search of memories', () => {
  let agentId: string;
  beforeAll(async () => {
    agentId = await newAgent();
    await remember(agentId, 'The fiscal year starts in April.');
    await remember(agentId, 'The user prefers short answers.', { kind: MemoryKind.PREFERENCE, importance: 0.9 });
    await remember(agentId, 'Invoices above 10,000 euros need two signatures.', { kind: MemoryKind.PROCEDURE });
    await remember(agentId, 'Customers ask about invoices mostly at the end of a month.', { kind: MemoryKind.INSIGHT });
  });

  it('finds relevant memories, best first, with scores from 0 to 1', async () => {
    const hits = await search(agentId, 'who signs invoices of many euros');
    expect(hits.map(({ memory }) => memory?.kind)).toEqual([MemoryKind.PROCEDURE, MemoryKind.INSIGHT]);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(0);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect((await found(agentId, 'When does the fiscal year begin?'))[0]).toMatch(/April/);
  });

  it('filters by kind and limits the number', async () => {
    expect(await found(agentId, 'invoices', { kind: MemoryKind.INSIGHT })).toHaveLength(1);
    expect(await found(agentId, 'invoices', { limit: 1 })).toHaveLength(1);
    await expect(search(agentId, ' ')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(search(agentId, 'x'.repeat(2_001))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await search(await newAgent(), 'invoices')).toEqual([]);
  });

  it('uses the rows as the source of truth and repairs the vectors', async () => {
    const otherAgent = await newAgent();
    const { memory } = await remember(otherAgent, 'Bees live on the roof');
    const id = memory!.id;
    const location = { teamId: team.teamId, agentId: otherAgent, memoryId: id };
    await context.memoryIndex.remove(location);
    await db.memory.update({ where: { id }, data: { version: { increment: 1 } } });
    expect(await found(otherAgent, 'bees')).toEqual(['Bees live on the roof']);
    await waitUntil(async () => (await stored()).includes(id), { what: 'the vector to be stored', timeoutMs: 5_000 });

    await context.memoryIndex.remove(location);
    const ghost = { ...(await db.memory.findUniqueOrThrow({ where: { id } })), id: newId('memory') };
    await context.memoryIndex.put([ghost]);
    await reconcileMemories(context, new AbortController().signal);
    expect(await stored()).not.toContain(ghost.id);
    await waitUntil(async () => (await stored()).includes(id), { what: 'the vector to be restored', timeoutMs: 5_000 });
  });
});

describe('access to memories', () => {
  it('requires access to the agent, and for writes the right to change it', async () => {
    const agentId = await newAgent();
    const { memory } = await remember(agentId, 'The vault code is xylophone');
    const id = memory!.id;
    const otherCaller = createCaller();
    const restricted: Caller = { ...team, keyId: newId('key'), scope: { kind: 'only', ids: [] } };
    const update = { agentId, id, content: 'x' };
    for (const [caller, code] of [
      [otherCaller, 'not_found'],
      [restricted, 'forbidden'],
    ] as const) {
      await expect(remember(agentId, 'x', {}, caller)).rejects.toMatchObject({ code });
      await expect(memories.updateMemory(update, callAs(caller))).rejects.toMatchObject({ code });
      await expect(memories.deleteMemory({ agentId, id }, callAs(caller))).rejects.toMatchObject({ code });
    }
    await expect(listed(agentId, otherCaller)).rejects.toMatchObject({ code: 'not_found' });
    await expect(search(agentId, 'vault', {}, otherCaller)).rejects.toMatchObject({ code: 'not_found' });
    expect(await listed(agentId, restricted)).toHaveLength(1);
    const other = await newAgent();
    for (const wrong of [
      { agentId: other, id },
      { agentId, id: newId('memory') },
      { agentId, id: "x' OR 1=1" },
    ]) {
      await expect(memories.getMemory(wrong, callAs(team))).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await found(other, 'vault')).toEqual([]);
  });
});

describe('runs', () => {
  it('get relevant memories and important preferences, and none of other agents', async () => {
    const agentId = await newAgent();
    await remember(agentId, 'The fiscal year starts in April.');
    await remember(agentId, 'Bees live on the roof.');
    await remember(agentId, 'The user prefers short answers.', { kind: MemoryKind.PREFERENCE, importance: 0.9 });
    await remember(await newAgent(), 'The fiscal year starts in October.');
    const recalled = await context.memories.recall(asRun(team), agentId, 'When does our fiscal year start?');
    expect(recalled.map(({ kind, content }) => [kind, content])).toEqual([
      ['fact', 'The fiscal year starts in April.'],
      ['preference', 'The user prefers short answers.'],
    ]);
    expect(recalled[0]!.score).toBeGreaterThan(0.5);
  });

  it('propose memories for their user only, until they are confirmed', async () => {
    const agentId = await newAgent();
    const ada: Caller = { ...team, userEmail: 'ada@example.com' };
    const bob: Caller = { ...team, userEmail: 'bob@example.com' };
    const conversationId = newId('conversation');
    const exchange = { agentId, runId: newId('run'), conversationId, answer: 'Remember that cats rule.' };
    const message = 'My favorite color is teal. What is the leave policy?';
    await context.memories.propose(asRun(ada), { ...exchange, message });
    await context.memories.propose(asRun(ada), { ...exchange, message });
    const question = 'Which is my favorite color?';
    const recall = async (caller: Caller) =>
      (await context.memories.recall(asRun(caller), agentId, question)).map(({ content }) => content);
    const proposal = 'The user said: My favorite color is teal.';
    expect([await recall(ada), await recall(bob), await recall(team)]).toEqual([[proposal], [], []]);
    expect([await listed(agentId, ada), await listed(agentId, bob)]).toEqual([[proposal], []]);
    const { memories: all } = await memories.listMemories({ agentId }, callAs(team));
    expect(all).toEqual([
      expect.objectContaining({
        content: proposal,
        proposed: true,
        conversationId,
        metadata: { runId: exchange.runId },
      }),
    ]);
    const editor: Caller = { ...bob, mayManage: true };
    expect([await listed(agentId, editor), await recall(editor)]).toEqual([[proposal], []]);
    const confirm = { agentId, id: all[0]!.id, proposed: false };
    expect(await memories.updateMemory(confirm, callAs(editor))).toMatchObject({ proposed: false });
    expect([await recall(bob), await recall(team)]).toEqual([[proposal], [proposal]]);
  });
});

describe('without the vector store', () => {
  it('stores memories, and runs continue with preferences', async () => {
    const config = readConfig({
      DATABASE_URL: database.url,
      QDRANT_URL: 'http://127.0.0.1:1',
      GRPC_ADDRESS: '127.0.0.1:0',
      LOG_LEVEL: 'silent',
    });
    const app = await startAgent(config);
    const connection = connectGrpc(`127.0.0.1:${app.port}`);
    const offline = createContext(config);
    try {
      const client = connection.client(MemoryServiceDefinition);
      const agentId = await newAgent();
      const preference = { agentId, kind: MemoryKind.PREFERENCE, content: 'Answer in German', importance: 0.8 };
      const { memory } = await client.createMemory(preference, callAs(team));
      expect(await client.getMemory({ agentId, id: memory!.id }, callAs(team))).toEqual(memory);
      await expect(client.searchMemories({ agentId, query: 'German' }, callAs(team))).rejects.toMatchObject({
        code: 'unavailable',
      });
      expect(await offline.memories.recall(asRun(team), agentId, 'x')).toMatchObject([{ content: 'Answer in German' }]);
      await waitUntil(async () => (await found(agentId, 'German')).length === 1, {
        what: 'the memory to be found',
        timeoutMs: 5_000,
      });
    } finally {
      connection.close();
      await offline.close();
      await app.stop();
    }
  });
});
