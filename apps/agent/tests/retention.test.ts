import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { createCaller } from '@lectern/testing';
import type { PrismaClient } from '#gen/prisma/client';
import { removeOldRuns, writeRetention } from '#runs/retention';
import { type AgentDatabase, createAgentDatabase } from './support/agent-database.ts';

const DAY_MS = 86_400_000;

let database: AgentDatabase;
let db: PrismaClient;
beforeAll(async () => {
  database = await createAgentDatabase();
  ({ db } = database);
});
afterAll(() => database.drop());

async function createRun(teamId: string, agentId: string, days: number, status = 'completed') {
  const id = newId('run');
  const startedAt = new Date(Date.now() - days * DAY_MS);
  const steps = { create: { number: 1, startedAt } };
  await db.run.create({ data: { id, teamId, agentId, status, message: 'x', model: 'x', startedAt, steps } });
  return id;
}

describe('the retention of runs', () => {
  it('deletes old ones with their steps, of this team only, on all replicas at once', async () => {
    const teams = [createCaller().teamId, createCaller().teamId];
    const agents = await Promise.all(
      teams.map((teamId) =>
        db.agent.create({
          data: { id: newId('agent'), teamId, name: 'x', systemPrompt: 'x', tools: [], collectionIds: [] },
        }),
      ),
    );
    const [teamId = '', otherTeam = ''] = teams;
    const [agent, otherAgent] = agents.map(({ id }) => id);
    for (let n = 0; n < 450; n += 1) await createRun(teamId, agent!, 31);
    const kept = [
      await createRun(teamId, agent!, 29),
      await createRun(teamId, agent!, 31, 'running'),
      await createRun(otherTeam, otherAgent!, 1_000),
    ];
    expect(await removeOldRuns(db)).toBe(0);
    await writeRetention(db, teamId, 30);
    const removed = await Promise.all([removeOldRuns(db), removeOldRuns(db)]);
    expect(removed[0] + removed[1]).toBe(450);
    expect((await db.run.findMany()).map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
    expect(await db.runStep.count()).toBe(3);
  });
});
