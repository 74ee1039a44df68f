/** The size of a corpus over time. */
export interface Growth {
  readonly passages: number;
  /** The number of passages one round earlier; undefined in the first round of this process. */
  readonly previousPassages: number | undefined;
  /** The number of passages at the last training; undefined without one. */
  readonly passagesAtTraining: number | undefined;
  /** Passages needed for the first training. */
  readonly minimum: number;
  /** The growth needed for the next training. */
  readonly factor: number;
}

/**
 * A corpus that grows by more than this share between two rounds is being filled; training waits
 * until that ends.
 */
const MAX_QUIET_GROWTH = 0.01;

/**
 * Training no longer waits once the corpus has grown by this factor beyond the size that is due.
 */
const MAX_OVERDUE = 8;

/**
 * Returns whether a space should be trained: the corpus is large enough, or has grown enough, and
 * is not being filled. Filling a team with 50,000 passages trains at 1,600 and at 25,600 passages
 * instead of at every doubling.
 */
export function isDue({ passages, previousPassages, passagesAtTraining, minimum, factor }: Growth): boolean {
  const due = passagesAtTraining === undefined ? minimum : Math.max(minimum, passagesAtTraining * factor);
  if (passages < due) return false;
  const isQuiet =
    previousPassages !== undefined && Math.abs(passages - previousPassages) <= passages * MAX_QUIET_GROWTH;
  return isQuiet || passages >= due * MAX_OVERDUE;
}
