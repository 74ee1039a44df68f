import { setTimeout as delay } from 'node:timers/promises';
import { readEvidence } from '@lectern/grounding';
import type { ChatRequest } from '@lectern/llm';

/** The pause before each comparison, so that streams go first. */
const PAUSE_MS = 10;

/** One comparison at a time in the process, because all turns share one thread. */
let last = Promise.resolve();

/**
 * Compares the sources with the question while the model writes, so that scoring takes less time
 * when many replies end together. Does nothing if `isNeeded` returns false when its turn comes.
 */
export function compareAhead({ question, sources }: ChatRequest, isNeeded: () => boolean): void {
  if (question === undefined || sources.length === 0) return;
  const compare = async () => {
    if (!isNeeded()) return;
    await delay(PAUSE_MS);
    if (isNeeded()) await readEvidence(question, sources);
  };
  // An error here occurs again, and is reported, when the reply is scored.
  last = last.then(compare).catch(() => undefined);
}
