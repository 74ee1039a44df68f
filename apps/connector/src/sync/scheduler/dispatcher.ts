import type { Context } from '#context';
import { enqueueItems, WINDOW } from '#sync/scheduler/enqueue';
import { ACTIVE_JOB, completeJobIfDone, type JobRef } from '#sync/store/jobs';

/**
 * Minimum time between two dispatches of one job. Otherwise each finished item would cost a query.
 */
const INTERVAL_MS = 150;
/** A job without a change for this long is forgotten. */
const IDLE_MS = 10_000;

/**
 * Advances the jobs that this process works on: completes a finished job, queues the next items of
 * others.
 */
export interface Dispatcher {
  /** Reports that an item of the job ended or was created. Dispatches soon, in the background. */
  notify(job: JobRef): void;
  /** Dispatches immediately. Throws database errors. */
  dispatch(job: JobRef): Promise<void>;
  /** Cancels scheduled dispatches and waits for running ones. */
  close(): Promise<void>;
}

interface Entry {
  timer: NodeJS.Timeout | undefined;
  run: Promise<void> | undefined;
  /** A notification arrived during the run. */
  runAgain: boolean;
  finishedItems: number;
  /** When counting of finished items started. */
  countedSince: number;
}

/** Returns the number of queued items for a job that finishes this many items per second. */
const windowOf = (itemsPerSecond: number): number =>
  Math.min(WINDOW.max, Math.max(WINDOW.min, Math.ceil(itemsPerSecond) + WINDOW.min));

/** Creates a dispatcher. `reconcileJobs` handles jobs that the dispatcher misses. */
export function createDispatcher(context: () => Context): Dispatcher {
  const entries = new Map<string, Entry>();
  let isClosed = false;

  const dispatch = async (job: JobRef, window?: number) => {
    const ctx = context();
    if (await completeJobIfDone(ctx, job.jobId)) entries.delete(job.jobId);
    else await enqueueItems(ctx, job, window);
  };
  const run = async (job: JobRef, entry: Entry) => {
    entry.timer = undefined;
    const seconds = Math.max(INTERVAL_MS, Date.now() - entry.countedSince) / 1_000;
    const window = windowOf(entry.finishedItems / seconds);
    entry.finishedItems = 0;
    entry.countedSince = Date.now();
    entry.runAgain = false;
    entry.run = dispatch(job, window).catch((err: unknown) =>
      context().log.warn({ err, jobId: job.jobId }, 'could not dispatch the job; the sweeper will retry'),
    );
    await entry.run;
    entry.run = undefined;
    if (entry.runAgain) schedule(job, entry);
    else if (entry.timer === undefined) setTimeout(() => forget(job.jobId, entry), IDLE_MS).unref();
  };
  const forget = (jobId: string, entry: Entry) => {
    if (entry.timer === undefined && entry.run === undefined && entries.get(jobId) === entry) entries.delete(jobId);
  };
  const schedule = (job: JobRef, entry: Entry) => {
    if (isClosed || entry.timer !== undefined) return;
    entry.timer = setTimeout(() => void run(job, entry), INTERVAL_MS);
  };

  return {
    notify: (job) => {
      if (isClosed) return;
      const known = entries.get(job.jobId);
      const entry = known ?? {
        timer: undefined,
        run: undefined,
        runAgain: false,
        finishedItems: 0,
        countedSince: Date.now(),
      };
      if (known === undefined) entries.set(job.jobId, entry);
      entry.finishedItems += 1;
      if (entry.run === undefined) schedule(job, entry);
      else entry.runAgain = true;
    },
    dispatch: (job) => dispatch(job),
    close: async () => {
      isClosed = true;
      for (const entry of entries.values()) clearTimeout(entry.timer);
      await Promise.all([...entries.values()].map((entry) => entry.run));
    },
  };
}

/**
 * Completes or continues every active job. The sweeper calls it to resume work after a crash or an
 * outage.
 */
export async function reconcileJobs(ctx: Context): Promise<void> {
  const jobs = await ctx.db.syncJob.findMany({
    where: { status: { in: ACTIVE_JOB } },
    select: { id: true, teamId: true, connectorId: true, plannedAt: true },
    orderBy: { id: 'asc' },
  });
  for (const { id: jobId, teamId, connectorId, plannedAt } of jobs) {
    if (plannedAt !== null && (await completeJobIfDone(ctx, jobId))) continue;
    await enqueueItems(ctx, { teamId, connectorId, jobId });
  }
}
