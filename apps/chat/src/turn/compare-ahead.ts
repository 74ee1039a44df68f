import { setTimeout as delay } from 'node:timers/promises';
import { readEvidenceAhead } from '@lectern/grounding';
import type { ChatRequest } from '@lectern/llm';

/** Milliseconds in which the process does other things before each comparison: what is being streamed goes first. */
const PAUSE_MS = 10;

/** One comparison at a time in the whole process, since its turns share one thread. */
let last = Promise.resolve();

/**
 * Compares the sources with the question while the model writes, so that little is left to do when it ends: many replies may end at once. Does nothing
 * where `isNeeded` says no when its turn comes.
 */
export function compareAhead({ question, sources }: ChatRequest, isNeeded: () => boolean): void {
  if (question === undefined || sources.length === 0) return;
  const compare = async () => {
    if (!isNeeded()) return;
    await delay(PAUSE_MS);
    if (isNeeded()) readEvidenceAhead(question, sources);
  };
  // What goes wrong here goes wrong again where the reply is scored, and is told there.
  last = last.then(compare).catch(() => undefined);
}
