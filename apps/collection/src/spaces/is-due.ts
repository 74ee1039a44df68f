/** The size of a corpus over time. */
export interface Growth {
  readonly passages: number;
  /** Its passages one round earlier; undefined in the first round of this process. */
  readonly before: number | undefined;
  /** Its passages at the last training; undefined without one. */
  readonly learnedAt: number | undefined;
  /** Passages needed for the first training. */
  readonly minimum: number;
  /** The growth needed for the next training. */
  readonly factor: number;
}

/**
 * A corpus that grows by more than this share between two rounds is being filled; training waits
 * until that ends.
 */
const QUIET = 0.01;

/**
 * Training no longer waits once the corpus has grown by this factor beyond the size that is due.
 */
const MAX_OVERDUE = 8;

/**
 * Returns whether a space should be learned: the corpus is large enough, or has grown enough, and
 * is not being filled. Filling a team with 50,000 passages trains at 1,600 and at 25,600 passages
 * instead of at every doubling.
 */
export function isDue({ passages, before, learnedAt, minimum, factor }: Growth): boolean {
  const due = learnedAt === undefined ? minimum : Math.max(minimum, learnedAt * factor);
  if (passages < due) return false;
  const isQuiet = before !== undefined && Math.abs(passages - before) <= passages * QUIET;
  return isQuiet || passages >= due * MAX_OVERDUE;
}
