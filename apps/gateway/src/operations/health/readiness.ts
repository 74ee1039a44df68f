import { type Asked, partsNotReady } from '#operations/health/check-parts';

/** How long a result is reused. The endpoint is public, and each check calls every service. */
const TTL_MS = 1_000;

/** Returns the names of the parts that do not respond. */
export type Readiness = () => Promise<readonly string[]>;

/** Checks at most once a second. Requests in between share the running check or its result. */
export function createReadiness(
  asked: Asked,
  check: (asked: Asked) => Promise<readonly string[]> = partsNotReady,
  now: () => number = () => performance.now(),
): Readiness {
  let last: { readonly result: Promise<readonly string[]>; endedAt: number } | undefined;
  return () => {
    if (last !== undefined && now() - last.endedAt < TTL_MS) return last.result;
    const result = check(asked);
    const entry = { result, endedAt: Number.POSITIVE_INFINITY };
    last = entry;
    const end = () => {
      entry.endedAt = now();
    };
    result.then(end, end);
    return result;
  };
}
