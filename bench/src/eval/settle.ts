import { setTimeout as delay } from 'node:timers/promises';
import { search } from '#eval/search-all';
import type { Api } from '#system/api';

const POLL_MS = 2_000;
/**
 * Results change when passages move to the trained space. Up to 20 s pass until training starts (two
 * rounds of SPACE_INTERVAL_MS), or the pause after the training before; then the sample is read and
 * learned (about 17 s for 5,000 passages, a minute for 50,000), and up to 25 s later passages move
 * (SPACE_SETTLE_MS and one round).
 */
const QUIET_MS = { least: 60_000, perDocument: 6, most: 180_000 };
const SETTLE_TIMEOUT_MS = 900_000;
/** The number of queries that are repeated. */
const PROBES = 3;
/** Smaller differences of scores come from the order of floating-point additions. */
const DIGITS = 6;

/** How long results must be stable, by the size of the corpus. */
export function quietFor(documents: number): number {
  return Math.min(QUIET_MS.most, QUIET_MS.least + documents * QUIET_MS.perDocument);
}

/** How long results must be stable, and the timeout. */
export interface Settling {
  /** 0 does not wait. */
  readonly quietMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until the semantic results of the first queries, including scores, were stable for the
 * quiet time: the builtin embedding is trained on the passages in the background after indexing,
 * and then every passage gets a new vector. The API does not report this otherwise. Returns false
 * if results still changed after 15 minutes.
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
