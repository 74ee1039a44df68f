import { setTimeout as delay } from 'node:timers/promises';
import { search } from '#eval/search-all';
import type { Api } from '#system/api';

const POLL_MS = 2_000;
/** Of a score; differences below it come from the order in which floats are added. */
const DIGITS = 6;

/** How long answers must stay the same, and how long that is waited for. */
export interface Settling {
  /** 0 does not wait. */
  readonly quietMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until the probe queries' answers by meaning have been the same, scores included, for the quiet time: the builtin embedding learns from the
 * passages in the background after they are indexed, and every passage then gets a new vector. The API shows no other sign of it. Resolves
 * with false where they still changed at the deadline.
 */
export async function untilSettled(
  api: Api,
  collection: string,
  probes: readonly string[],
  { quietMs, timeoutMs, signal }: Settling,
): Promise<boolean> {
  if (quietMs === 0) return true;
  const fingerprint = async () => {
    const answers: string[] = [];
    for (const probe of probes) {
      const found = await search(api, collection, probe, 'semantic');
      answers.push(found.map(({ documentId, score }) => `${documentId}=${score.toFixed(DIGITS)}`).join(' '));
    }
    return answers.join('\n');
  };
  const started = performance.now();
  let last = await fingerprint();
  let since = performance.now();
  while (performance.now() - since < quietMs) {
    if (performance.now() - started > timeoutMs) return false;
    await delay(Math.min(POLL_MS, quietMs), undefined, { signal });
    const now = await fingerprint();
    if (now !== last) since = performance.now();
    last = now;
  }
  return true;
}
