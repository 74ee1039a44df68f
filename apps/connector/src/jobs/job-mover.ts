import type { Context } from '../context.ts';
import { feedItems, WINDOW } from '../items/feed-items.ts';
import { endJobIfDone } from './end-job.ts';
import type { ProgressOf } from './progress.ts';

/** The least time between two looks at one job: a finished item would otherwise cost as much as its work. */
const INTERVAL_MS = 150;

/** Moves jobs on: ends one that is done, queues the next items of one that is not. */
export interface JobMover {
  /** Something of the job was finished or made. Looks soon, in the background. */
  poke(job: ProgressOf): void;
  /** The same at once. Throws what the database says. */
  moveOn(job: ProgressOf): Promise<void>;
  /** Ends what is scheduled and waits for what is at work. */
  close(): Promise<void>;
}

interface Entry {
  timer: NodeJS.Timeout | undefined;
  run: Promise<void> | undefined;
  again: boolean;
  finished: number;
  since: number;
}

/** What a job that finishes so many items in a second has under way. */
const windowOf = (itemsASecond: number): number =>
  Math.min(WINDOW.most, Math.max(WINDOW.least, Math.ceil(itemsASecond) + WINDOW.least));

/** Moves the jobs that this process works on. The sweeper does the same for whatever is missed. */
export function createJobMover(context: () => Context): JobMover {
  const entries = new Map<string, Entry>();
  let closed = false;

  const moveOn = async (job: ProgressOf, window?: number) => {
    const ctx = context();
    if (await endJobIfDone(ctx, job.jobId)) entries.delete(job.jobId);
    else await feedItems(ctx, job, window);
  };
  const look = async (job: ProgressOf, entry: Entry) => {
    entry.timer = undefined;
    const seconds = Math.max(INTERVAL_MS, Date.now() - entry.since) / 1_000;
    const window = windowOf(entry.finished / seconds);
    entry.finished = 0;
    entry.since = Date.now();
    entry.again = false;
    entry.run = moveOn(job, window).catch((err: unknown) =>
      context().log.warn({ err, jobId: job.jobId }, 'job could not be moved on, the sweeper will'),
    );
    await entry.run;
    entry.run = undefined;
    if (entry.again) arm(job, entry);
    else if (entry.timer === undefined) setTimeout(() => forget(job.jobId, entry), 10_000).unref();
  };
  const forget = (jobId: string, entry: Entry) => {
    if (entry.timer === undefined && entry.run === undefined && entries.get(jobId) === entry) entries.delete(jobId);
  };
  const arm = (job: ProgressOf, entry: Entry) => {
    if (closed || entry.timer !== undefined) return;
    entry.timer = setTimeout(() => void look(job, entry), INTERVAL_MS);
  };

  return {
    poke: (job) => {
      if (closed) return;
      const known = entries.get(job.jobId);
      const entry = known ?? { timer: undefined, run: undefined, again: false, finished: 0, since: Date.now() };
      if (known === undefined) entries.set(job.jobId, entry);
      entry.finished += 1;
      if (entry.run === undefined) arm(job, entry);
      else entry.again = true;
    },
    moveOn: (job) => moveOn(job),
    close: async () => {
      closed = true;
      for (const entry of entries.values()) clearTimeout(entry.timer);
      await Promise.all([...entries.values()].map((entry) => entry.run));
    },
  };
}
