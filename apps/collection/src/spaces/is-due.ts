/** What decides whether a corpus is to be learned from. */
export interface Growth {
  readonly passages: number;
  /** Its passages one round earlier; undefined where this process has not looked before. */
  readonly before: number | undefined;
  /** Its passages when it was last learned from; undefined where it never was. */
  readonly learnedAt: number | undefined;
  /** Passages from which on it is learned from. */
  readonly minimum: number;
  /** By how much it has to have grown since. */
  readonly factor: number;
}

/** A corpus that grows by more than this share between two rounds is being filled: it is learned from when that is over. */
const QUIET = 0.01;

/** However long it is being filled, by this much growth beyond what is due it is learned from all the same. */
const PATIENCE = 8;

/**
 * Whether a corpus is large enough, or has grown enough, to be learned from, and stands still. Filling a team with 50,000 passages learns at 1,600
 * and at 25,600 of them, instead of at every doubling.
 */
export function isDue({ passages, before, learnedAt, minimum, factor }: Growth): boolean {
  const due = learnedAt === undefined ? minimum : Math.max(minimum, learnedAt * factor);
  if (passages < due) return false;
  const isQuiet = before !== undefined && Math.abs(passages - before) <= passages * QUIET;
  return isQuiet || passages >= due * PATIENCE;
}
