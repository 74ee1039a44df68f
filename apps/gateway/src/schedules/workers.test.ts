import { describe, expect, it, jest } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import type { Context } from '#context';
import { startScheduleRuns } from '#schedules/workers';

const run = {
  id: newId('schedule_run'),
  scheduleId: newId('schedule'),
  teamId: newId('team'),
  agentId: newId('agent'),
  ownerId: newId('person'),
  message: 'What is new?',
  attempts: 4,
};

describe('the worker of scheduled runs', () => {
  it('records and mails a pause that the claim of a lost run caused, without executing the run', async () => {
    const create = jest.fn(async (_row: object) => undefined);
    const send = jest.fn(async (_mail: object) => undefined);
    const pauses = [{ run, reason: 'failing' }];
    const claimScheduleRuns = async () => ({ runs: [], pauses: pauses.splice(0) });
    const owner = { name: 'Ada', email: 'ada@example.com', status: 'active' };
    const worker = startScheduleRuns({
      db: { auditEvent: { create }, person: { findFirst: async () => owner } },
      // Any other call to the service fails.
      clients: { schedules: { claimScheduleRuns } },
      config: {},
      log: { warn: () => undefined },
      mailer: { send },
    } as unknown as Context);
    await waitUntil(() => send.mock.calls.length > 0, { what: 'the notice', timeoutMs: 5_000 });
    await worker.stop();
    const details = { agentId: run.agentId, ownerId: run.ownerId, reason: 'failing' };
    expect(create.mock.calls).toMatchObject([
      [{ data: { action: 'pauseSchedule', resourceId: run.scheduleId, teamId: run.teamId, details } }],
    ]);
    expect(send.mock.calls).toMatchObject([[{ id: `${run.id}.paused`, to: { address: owner.email } }]]);
  });
});
