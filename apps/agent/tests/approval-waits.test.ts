import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId, systemCaller } from '@lectern/service-kit';
import { decide, insertApproval } from '#approvals/approval-rows';
import { createApprovalWaits } from '#approvals/approval-waits';
import { insertRun } from '#runs/run-store';
import { type AgentDatabase, createAgentDatabase } from './support/agent-database.ts';

const teamId = newId('team');
let database: AgentDatabase;

beforeAll(async () => {
  database = await createAgentDatabase();
});
afterAll(() => database.drop());

async function newApproval(): Promise<string> {
  const { db } = database;
  const agent = { id: newId('agent'), teamId, name: 'Support', systemPrompt: 'Help.', collectionIds: [], tools: [] };
  await db.agent.create({ data: agent });
  const runId = newId('run');
  const run = { id: runId, agentId: agent.id, conversationId: undefined, message: 'Hello', model: 'm', documents: [] };
  await insertRun(db, systemCaller(teamId), run);
  const row = { id: newId('approval'), runId, teamId, expiresAt: new Date(Date.now() + 600_000) };
  return (await insertApproval(db, row, { callId: '1', tool: 't', version: '1', params: {} })).id;
}

it('a call that begins to wait while others are looked up keeps waiting until it is decided', async () => {
  const { db } = database;
  const { signal } = new AbortController();
  const [first, second] = [await newApproval(), await newApproval()];
  let begin: (() => void) | undefined;
  const watched = db.$extends({
    query: {
      approval: {
        findMany: async ({ args, query }) => {
          const rows = await query(args);
          begin?.();
          begin = undefined;
          return rows;
        },
      },
    },
  });
  const waits = createApprovalWaits(watched as unknown as typeof db);
  const decisions: string[] = [];
  const note = ({ status }: { readonly status: string }) => void decisions.push(status);
  const waiting = [waits.wait(first, signal).then(note)];
  begin = () => waiting.push(waits.wait(second, signal).then(note));
  await waits.check();
  await waits.check();
  expect(waiting).toHaveLength(2);
  expect(decisions).toEqual([]);
  for (const id of [first, second]) await decide(db, id, { status: 'approved', decidedBy: 'ada', reason: null });
  await waits.check();
  await Promise.all(waiting);
  expect(decisions).toEqual(['approved', 'approved']);
});
