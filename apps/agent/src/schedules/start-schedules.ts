import { type Logger, type Running, repeat } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { databaseTime, findDueSchedules, startDueSchedule } from '#schedules/run-store';

const POLL_MS = 1_000;
/** The schedules that are read at once. */
const BATCH = 20;
/** A schedule whose run could not be created waits for this long, so that it does not delay others. */
const RETRY_MS = 60_000;

/** Creates the runs of schedules that are due at a time. Returns how many were due and not locked. */
type Starter = (now: Date) => Promise<number>;

/** Returns a function that starts due schedules, each on its own: one that fails affects no other. */
export function createStarter(db: PrismaClient, log: Logger): Starter {
  /** When to try the schedules again whose run could not be created. */
  const retryAt = new Map<string, number>();

  const start = async (scheduleId: string, now: Date): Promise<boolean> => {
    try {
      return await startDueSchedule(db, scheduleId, now);
    } catch (err) {
      retryAt.set(scheduleId, now.getTime() + RETRY_MS);
      log.error({ err, scheduleId }, 'could not create the run of a schedule; will retry');
      return true;
    }
  };

  return async (now) => {
    for (const [id, time] of retryAt) if (time <= now.getTime()) retryAt.delete(id);
    let handled = 0;
    for (const id of await findDueSchedules(db, { now, limit: BATCH, except: [...retryAt.keys()] })) {
      if (await start(id, now)) handled += 1;
    }
    return handled;
  };
}

/** Creates the runs of schedules that are due. All replicas do this. */
export function startSchedules(db: PrismaClient, log: Logger): Running {
  const startDue = createStarter(db, log);
  return repeat({ name: 'schedules', intervalMs: POLL_MS, log }, async (signal) => {
    let handled = 1;
    while (handled > 0 && !signal.aborted) handled = await startDue(await databaseTime(db));
  });
}
