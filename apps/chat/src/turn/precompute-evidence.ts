import { setTimeout as delay } from 'node:timers/promises';
import { readEvidence } from '@lectern/grounding';
import type { ChatRequest } from '@lectern/llm';

/** Milliseconds to wait before each comparison, so that pending output is sent first. */
const PAUSE_MS = 10;

/** Comparisons run one at a time, because all turns share one thread. */
let queue = Promise.resolve();

/**
 * Compares the sources with the question while the model writes, so that scoring is fast when many
 * replies finish at the same time. Does nothing if `isNeeded` returns false by then.
 */
export function precomputeEvidence({ question, sources }: ChatRequest, isNeeded: () => boolean): void {
  if (question === undefined || sources.length === 0) return;
  const compare = async () => {
    if (!isNeeded()) return;
    await delay(PAUSE_MS);
    if (isNeeded()) await readEvidence(question, sources);
  };
  // Scoring the reply hits the same error and reports it.
  queue = queue.then(compare).catch(() => undefined);
}
