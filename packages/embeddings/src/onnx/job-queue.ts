interface Queued {
  readonly id: number;
  readonly isUrgent: boolean;
}

/** The work of a thread. Each turn runs one batch of a job. */
export interface JobQueue<Job extends Queued> {
  push(job: Job): void;
  remove(id: number): void;
  /** Returns the job whose next batch runs. */
  next(): Job | undefined;
}

/** Other work gets a turn after so many of urgent work, so that indexing never stops. */
const URGENT_TURNS = 4;

/** Creates a queue: urgent jobs first, then in the order of arrival. */
export function createJobQueue<Job extends Queued>(): JobQueue<Job> {
  const urgent = new Map<number, Job>();
  const other = new Map<number, Job>();
  /** Turns of urgent work since other work waits. */
  let turns = 0;
  const first = (jobs: ReadonlyMap<number, Job>): Job | undefined => jobs.values().next().value;

  return {
    push(job) {
      (job.isUrgent ? urgent : other).set(job.id, job);
    },
    remove(id) {
      urgent.delete(id);
      other.delete(id);
    },
    next() {
      const waits = other.size > 0;
      if (urgent.size > 0 && !(waits && turns >= URGENT_TURNS)) {
        turns = waits ? turns + 1 : 0;
        return first(urgent);
      }
      turns = 0;
      return first(other);
    },
  };
}
