import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AGENT_TOOLS,
  AgentServiceDefinition,
  CollectionServiceDefinition,
  type UpdateAgentRequest,
} from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, newId } from '@lectern/service-kit';
import { callAs, createCaller, sharedServices, testDatabase } from '@lectern/testing';
import { readConfig } from '#config';
import { startAgent } from '#server';

const caller = createCaller();
const closing: (() => unknown)[] = [];
let agents: GrpcClient<typeof AgentServiceDefinition>;
let collections: GrpcClient<typeof CollectionServiceDefinition>;
let handbook: string;
let kitchen: string;

const draft = { name: 'Helper', systemPrompt: 'Be brief.' };
const create = (fields: object = {}, as: Caller = caller) => agents.createAgent({ ...draft, ...fields }, callAs(as));
const update = (request: Partial<UpdateAgentRequest> & { id: string }, as: Caller = caller) =>
  agents.updateAgent(request, callAs(as));
const restrictedTo = (...ids: string[]): Caller => ({ ...caller, keyId: newId('key'), scope: { kind: 'only', ids } });
const listIds = async (as: Caller) => (await agents.listAgents({}, callAs(as))).agents.map(({ id }) => id);

beforeAll(async () => {
  const database = await testDatabase();
  closing.push(() => database.drop());
  const services = await sharedServices('collection');
  const app = await startAgent(
    readConfig({
      ...services,
      DATABASE_URL: database.url,
      GRPC_ADDRESS: '127.0.0.1:0',
      LOG_LEVEL: 'silent',
    }),
  );
  closing.push(() => app.stop());
  const toAgent = connectGrpc(`127.0.0.1:${app.port}`);
  const toCollection = connectGrpc(services.COLLECTION_ADDRESS!);
  closing.push(() => toAgent.close());
  closing.push(() => toCollection.close());
  agents = toAgent.client(AgentServiceDefinition);
  collections = toCollection.client(CollectionServiceDefinition);
  handbook = (await collections.createCollection({ name: 'Handbook' }, callAs(caller))).id;
  kitchen = (await collections.createCollection({ name: 'Kitchen' }, callAs(caller))).id;
});

afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

describe('an agent', () => {
  it('is created only once for a given id', async () => {
    const other = createCaller();
    const id = newId('agent');
    const attempts = [await create({ id }, other), await create({ id }, other)];
    expect(attempts.map((agent) => agent.id)).toEqual([id, id]);
    expect(await listIds(other)).toEqual([id]);
  });

  it('can be created, read, updated and deleted', async () => {
    const fields = {
      description: 'Knows the handbook',
      tools: [...AGENT_TOOLS],
      collectionIds: [handbook],
      startMessage: 'Hi!',
    };
    const created = await create(fields);
    expect(created).toMatchObject({ ...draft, ...fields });
    expect(await agents.getAgent({ id: created.id }, callAs(caller))).toEqual(created);

    const changed = await update({ id: created.id, name: 'Reader', tools: { values: ['calculate', 'calculate'] } });
    expect(changed).toMatchObject({ ...draft, ...fields, name: 'Reader', tools: ['calculate'] });
    expect(changed.updatedAt!.getTime()).toBeGreaterThanOrEqual(created.updatedAt!.getTime());
    const cleared = await update({ id: created.id, description: '', startMessage: '', collectionIds: { values: [] } });
    expect(cleared).toMatchObject({ description: undefined, startMessage: undefined, collectionIds: [] });

    expect(await agents.deleteAgent({ id: created.id }, callAs(caller))).toEqual({ id: created.id });
    await expect(agents.deleteAgent({ id: created.id }, callAs(caller))).rejects.toMatchObject({ code: 'not_found' });
    await expect(agents.getAgent({ id: created.id }, callAs(caller))).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a text that cannot be stored', { systemPrompt: 'a\u0000b' }, 'systemPrompt'],
    ['no system prompt', { systemPrompt: '' }, 'systemPrompt'],
    ['a name that is too long', { name: 'x'.repeat(201) }, 'name'],
    ['an unknown tool', { tools: ['calculate', 'rm_rf'] }, 'tools[1]'],
  ])(
    'is rejected with %s, and the error names the field',
    async (_what, fields: Partial<typeof draft> & { tools?: string[] }, path) => {
      const error = { code: 'invalid_request', details: { issues: [expect.objectContaining({ path })] } };
      await expect(create(fields)).rejects.toMatchObject(error);
      const { id } = await create();
      const { tools, ...rest } = fields;
      await expect(update({ id, ...rest, ...(tools ? { tools: { values: tools } } : {}) })).rejects.toMatchObject(
        error,
      );
    },
  );

  it('accepts only collections that exist and that its key can access', async () => {
    const unknown = newId('collection');
    await expect(create({ collectionIds: [unknown] })).rejects.toMatchObject({ code: 'not_found' });
    await expect(create({ collectionIds: [handbook] }, restrictedTo(kitchen))).rejects.toMatchObject({
      code: 'forbidden',
    });
    const { id } = await create();
    await expect(update({ id, collectionIds: { values: [unknown] } })).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['agt_nonsense', "x' OR 1=1", newId('agent')])('is not found by the id %s', async (id) => {
    await expect(agents.getAgent({ id }, callAs(caller))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the visibility of an agent', () => {
  it('is limited to its team', async () => {
    const { id } = await create();
    const otherCaller = createCaller();
    await expect(agents.getAgent({ id }, callAs(otherCaller))).rejects.toMatchObject({ code: 'not_found' });
    await expect(update({ id, name: 'x' }, otherCaller)).rejects.toMatchObject({ code: 'not_found' });
    await expect(agents.deleteAgent({ id }, callAs(otherCaller))).rejects.toMatchObject({ code: 'not_found' });
    expect(await listIds(otherCaller)).toEqual([]);
  });

  it('includes each key of restricted scope that can access all collections of the agent', async () => {
    const both = await create({ collectionIds: [handbook, kitchen] });
    const one = await create({ collectionIds: [kitchen] });
    const visible = await listIds(restrictedTo(kitchen));
    expect(visible).toContain(one.id);
    expect(visible).not.toContain(both.id);
    expect(await listIds(restrictedTo(kitchen, handbook))).toEqual(expect.arrayContaining([one.id, both.id]));
    const forbidden = { code: 'forbidden' };
    await expect(agents.getAgent({ id: both.id }, callAs(restrictedTo(kitchen)))).rejects.toMatchObject(forbidden);
    await expect(update({ id: both.id, name: 'x' }, restrictedTo(kitchen))).rejects.toMatchObject(forbidden);
    await expect(update({ id: one.id, name: 'x' }, restrictedTo(kitchen))).resolves.toMatchObject({ name: 'x' });
  });

  it('includes every key if the agent has no collections, but only its creator and unrestricted keys can change it', async () => {
    const shared = await create();
    const restricted = restrictedTo(kitchen);
    expect(await listIds(restricted)).toContain(shared.id);
    await expect(update({ id: shared.id, name: 'x' }, restricted)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(agents.deleteAgent({ id: shared.id }, callAs(restricted))).rejects.toMatchObject({
      code: 'forbidden',
    });
    const own = await create({}, restricted);
    await expect(update({ id: own.id, name: 'x' }, restricted)).resolves.toMatchObject({ name: 'x' });
  });
});

describe('a list of agents', () => {
  it.each([
    ['an unrestricted key', (team: Caller) => team],
    ['a restricted key', (team: Caller): Caller => ({ ...team, scope: { kind: 'only', ids: [] } })],
  ])('shows each agent once, newest first, to %s', async (_who, as) => {
    const team = createCaller();
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.unshift((await create({}, team)).id);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => agents.listAgents({ page: { page, limit: 2 } }, callAs(as(team)))),
    );
    expect(pages.flatMap((page) => page.agents.map(({ id }) => id))).toEqual(ids);
    expect(pages.map(({ page }) => page?.hasMore)).toEqual([true, true, false]);
    expect(pages[0]?.page?.total).toBe(5);
    const pastEnd = await agents.listAgents({ page: { page: 2_147_483_647, limit: 100 } }, callAs(as(team)));
    expect(pastEnd).toMatchObject({ agents: [], page: { total: 5, hasMore: false } });
  });
});

describe('a deleted collection', () => {
  it('remains on its agents and does not block their updates', async () => {
    const { id: deleted } = await collections.createCollection({ name: 'Gone' }, callAs(caller));
    const { id } = await create({ collectionIds: [deleted, handbook] });
    await collections.deleteCollection({ id: deleted }, callAs(caller));
    const both = { values: [deleted, handbook] };
    expect(await update({ id, name: 'Renamed', collectionIds: both })).toMatchObject({
      name: 'Renamed',
      collectionIds: [deleted, handbook],
    });
    expect(await update({ id, collectionIds: { values: [deleted] } })).toMatchObject({ collectionIds: [deleted] });
    const added = update({ id, collectionIds: { values: [deleted, newId('collection')] } });
    await expect(added).rejects.toMatchObject({ code: 'not_found' });
    expect(await update({ id, collectionIds: { values: [handbook] } })).toMatchObject({ collectionIds: [handbook] });
    await expect(update({ id, collectionIds: both })).rejects.toMatchObject({ code: 'not_found' });
    await expect(create({ collectionIds: [deleted] })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an agent with a deleted collection', () => {
  const forbidden = { code: 'forbidden' };
  const addCollections = async (...names: string[]) => {
    const creations = names.map(async (name) => (await collections.createCollection({ name }, callAs(caller))).id);
    const ids = await Promise.all(creations);
    return { ids, remove: () => Promise.all(ids.map((id) => collections.deleteCollection({ id }, callAs(caller)))) };
  };

  it('can be read, changed and deleted with a key that can access the others', async () => {
    const { ids, remove } = await addCollections('Gone');
    const { id } = await create({ collectionIds: [...ids, handbook] });
    const key = restrictedTo(handbook);
    await expect(agents.getAgent({ id }, callAs(key))).rejects.toMatchObject(forbidden);
    expect(await listIds(key)).not.toContain(id);
    await remove();
    expect(await agents.getAgent({ id }, callAs(key))).toMatchObject({ id });
    expect(await listIds(key)).toContain(id);
    await expect(agents.getAgent({ id }, callAs(restrictedTo(kitchen)))).rejects.toMatchObject(forbidden);
    expect(await listIds(restrictedTo(kitchen))).not.toContain(id);
    expect(await update({ id, name: 'Renamed' }, key)).toMatchObject({ name: 'Renamed' });
    await agents.deleteAgent({ id }, callAs(key));
  });

  it('does not become visible to every key if it was the only one', async () => {
    const { ids, remove } = await addCollections('Gone', 'Gone too');
    const creator = restrictedTo(...ids);
    const { id } = await create({ collectionIds: ids }, creator);
    await remove();
    const withoutScope: Caller = { ...creator, scope: { kind: 'only', ids: [] } };
    expect(await listIds(withoutScope)).toContain(id);
    expect(await update({ id, name: 'Renamed' }, withoutScope)).toMatchObject({ name: 'Renamed' });
    expect(await agents.getAgent({ id }, callAs(caller))).toMatchObject({ id });
    await expect(agents.getAgent({ id }, callAs(restrictedTo(kitchen)))).rejects.toMatchObject(forbidden);
    expect(await listIds(restrictedTo(kitchen))).not.toContain(id);
  });
});

describe('the revision of an agent', () => {
  it('changes with every update, and updates and deletions require the current one', async () => {
    const created = await create();
    expect((await update({ id: created.id })).revision).toBe(created.revision);
    const precondition = { revisions: [created.revision] };
    const changed = await update({ id: created.id, name: 'Renamed', precondition });
    expect(changed.revision).not.toBe(created.revision);
    const error = { code: 'precondition_failed' };
    await expect(update({ id: created.id, name: 'Late', precondition })).rejects.toMatchObject(error);
    await expect(agents.deleteAgent({ id: created.id, precondition }, callAs(caller))).rejects.toMatchObject(error);
    expect(await agents.getAgent({ id: created.id }, callAs(caller))).toMatchObject({ name: 'Renamed' });
    await agents.deleteAgent({ id: created.id, precondition: { revisions: ['x', changed.revision] } }, callAs(caller));
  });
});
