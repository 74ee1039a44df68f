import { setTimeout as delay } from 'node:timers/promises';
import { search } from '#eval/search-all';
import type { Api } from '#system/api';

const POLL_MS = 2_000;
/** Learning begins some seconds after indexing, takes longer the more there is to learn from, and at most about a minute. */
const QUIET_MS = { least: 20_000, perDocument: 3, most: 90_000 };
const SETTLE_TIMEOUT_MS = 900_000;
/** Queries that are asked again and again. */
const PROBES = 3;
/** Of a score; differences below it come from the order in which floats are added. */
const DIGITS = 6;

/** How long answers must stay the same before nothing more is expected, by the corpus' size. */
export function quietFor(documents: number): number {
  return Math.min(QUIET_MS.most, QUIET_MS.least + documents * QUIET_MS.perDocument);
}

/** How long answers must stay the same, and how long that is waited for. */
export interface Settling {
  /** 0 does not wait. */
  readonly quietMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until the first queries' answers by meaning have been the same, scores included, for the quiet time: the builtin embedding learns from the
 * passages in the background after they are indexed, and every passage then gets a new vector. The API shows no other sign of it. Resolves
 * with false where they still changed after a quarter of an hour.
 */
export async function untilSettled(
  api: Api,
  collection: string,
  queries: readonly { readonly text: string }[],
  { quietMs, signal }: Settling,
): Promise<boolean> {
  if (quietMs === 0) return true;
  const fingerprint = async () => {
    const answers: string[] = [];
    for (const { text } of queries.slice(0, PROBES)) {
      signal.throwIfAborted();
      const found = await search(api, collection, text, 'semantic');
      answers.push(found.map(({ documentId, score }) => `${documentId}=${score.toFixed(DIGITS)}`).join(' '));
    }
    return answers.join('\n');
  };
  const started = performance.now();
  let last = await fingerprint();
  let since = performance.now();
  while (performance.now() - since < quietMs) {
    if (performance.now() - started > SETTLE_TIMEOUT_MS) return false;
    await delay(Math.min(POLL_MS, quietMs), undefined, { signal });
    const now = await fingerprint();
    if (now !== last) since = performance.now();
    last = now;
  }
  return true;
}
