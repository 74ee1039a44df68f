/** The passages of a corpus, and how many have changed since its space was learned. */
export interface CorpusSize {
  readonly passages: number;
  /**
   * Passages indexed since the last training began, new or in place of older ones; all passages
   * without a training.
   */
  readonly added: number;
  /** Passages whose words follow an older version of the analysis rules. */
  readonly outdated: number;
}

/** What decides about the next training. */
export interface TrainingState {
  readonly size: CorpusSize;
  /** The size one round earlier; undefined in the first round of this process. */
  readonly previous: CorpusSize | undefined;
  /** The last training; undefined without one. */
  readonly last: LastTraining | undefined;
  /** Passages needed for the first training. */
  readonly minimum: number;
  /** Changed passages relative to those at the last training, plus 1, that a training needs. */
  readonly growth: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface LastTraining {
  /** Passages of the corpus when it began. */
  readonly passages: number;
  readonly beganAt: number;
  readonly readyAt: number;
  /** Whether its terms follow an older version of the analysis rules. */
  readonly isOutdated: boolean;
}

/**
 * A corpus of which more than this share changes between two rounds is being filled; training waits
 * until that ends. A document every few seconds is no import.
 */
const MAX_QUIET_CHANGE = 0.001;
const MIN_QUIET_PASSAGES = 2;

/**
 * Training no longer waits once this many times the change that is due has accumulated. Filling a
 * team with 50,000 passages therefore trains at 800, at 4,000, at 20,000 and at the end.
 */
const MAX_OVERDUE = 16;

/** The share of passages with outdated words that is ignored: those that the store rejects stay so. */
const MAX_OUTDATED = 0.01;

/** Trainings take at most about a sixth of the time, but none is delayed for more than an hour. */
const PAUSE = { trainings: 5, mostMs: 60 * 60_000 } as const;

/**
 * Returns whether a space should be learned: the corpus is large enough, enough of it has changed
 * since the last training, and it is at rest. New analysis rules change all of it, as soon as its
 * words follow them.
 */
export function isDue({ size, previous, last, minimum, growth, now }: TrainingState): boolean {
  const { passages } = size;
  const due = last === undefined ? minimum : last.passages * (growth - 1);
  const changed = last === undefined ? passages : changedSince(last, size);
  const isRenewed = last?.isOutdated === true && isUpToDate(size);
  if (passages < minimum || (changed < due && !isRenewed)) return false;
  if (last && now < last.readyAt + pauseAfter(last)) return false;
  return changed >= due * MAX_OVERDUE || isQuiet(size, previous);
}

/** Returns whether the words of practically all passages follow the current analysis rules. */
export function isUpToDate({ passages, outdated }: CorpusSize): boolean {
  return outdated <= passages * MAX_OUTDATED;
}

/** Returns the passages added and deleted since a training; a replaced passage is both. */
function changedSince(last: LastTraining, { passages, added }: CorpusSize): number {
  const deleted = Math.max(0, last.passages - (passages - added));
  return added + deleted;
}

function pauseAfter({ beganAt, readyAt }: LastTraining): number {
  return Math.min(PAUSE.mostMs, (readyAt - beganAt) * PAUSE.trainings);
}

function isQuiet(size: CorpusSize, previous: CorpusSize | undefined): boolean {
  if (previous === undefined) return false;
  const most = Math.max(MIN_QUIET_PASSAGES, size.passages * MAX_QUIET_CHANGE);
  return Math.abs(size.passages - previous.passages) <= most && Math.abs(size.added - previous.added) <= most;
}
