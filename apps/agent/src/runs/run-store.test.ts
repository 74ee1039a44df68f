import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyMigrations, newId, prismaOptions, systemCaller } from '@lectern/service-kit';
import { type TestDatabase, testDatabase } from '@lectern/testing';
import { PrismaClient } from '#gen/prisma/client';
import { endAbandonedRuns, endRun, insertRun } from '#runs/run-store';

let database: TestDatabase;
let db: PrismaClient;
const teamId = newId('team');
const agent = { id: newId('agent'), teamId, name: 'Support', systemPrompt: 'Help.', collectionIds: ['col_a'] };

beforeAll(async () => {
  database = await testDatabase();
  const dir = new URL('../../prisma/migrations', import.meta.url).pathname;
  await applyMigrations({ url: database.url, schema: 'agent', dir });
  db = new PrismaClient(prismaOptions({ url: database.url, schema: 'agent' }));
  await db.agent.create({ data: { ...agent, tools: [] } });
  await db.eventInterest.create({ data: { teamId, version: 1, types: ['run.completed'] } });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

async function newRun(): Promise<string> {
  const id = newId('run');
  const run = { id, agentId: agent.id, conversationId: undefined, message: 'Secret?', model: 'local', documents: [] };
  await insertRun(db, systemCaller(teamId), run);
  return id;
}
const usage = { promptTokens: 1, completionTokens: 1 };
const eventsOf = async (resource: string) =>
  (await db.eventOutbox.findMany({ where: { resource } })).map(({ data, collectionIds }) => ({ data, collectionIds }));
const data = (id: string, status: string, error: object | null) => ({
  data: { id, agentId: agent.id, agentName: 'Support', conversationId: null, status, error },
  collectionIds: ['col_a'],
});

describe('the end of a run', () => {
  it('is one event, without its question and answer', async () => {
    const id = await newRun();
    await endRun(db, id, { status: 'completed', content: 'Secret.', usage });
    await endRun(db, id, { status: 'cancelled', content: '', usage });
    expect(await eventsOf(id)).toEqual([data(id, 'completed', null)]);
  });

  it('is an event with the code of its error, also if its process has stopped', async () => {
    const [failed, abandoned] = [await newRun(), await newRun()];
    const error = { code: 'upstream_error', message: 'Secret.' };
    await endRun(db, failed, { status: 'failed', content: '', usage, error });
    await db.run.update({ where: { id: abandoned }, data: { aliveAt: new Date(0) } });
    expect(await endAbandonedRuns(db, 35)).toBe(1);
    expect(await eventsOf(failed)).toEqual([data(failed, 'failed', { code: 'upstream_error' })]);
    expect(await eventsOf(abandoned)).toEqual([data(abandoned, 'failed', { code: 'unavailable' })]);
  });

  it('ends its pending approvals: some have expired before', async () => {
    const id = await newRun();
    const call = { callId: 'call_1', tool: 'crm__delete', params: {}, digest: 'digest' };
    for (const [name, expiresAt] of [
      ['late', new Date(0)],
      ['early', new Date(Date.now() + 3_600_000)],
    ] as const) {
      await db.approval.create({ data: { ...call, id: `${id}_${name}`, runId: id, teamId, expiresAt } });
    }
    await endRun(db, id, { status: 'limited', content: '', usage });
    const states = await db.approval.findMany({ where: { runId: id }, orderBy: { expiresAt: 'asc' } });
    expect(states.map(({ status }) => status)).toEqual(['expired', 'cancelled']);
  });
});
