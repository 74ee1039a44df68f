/** Milliseconds from 1601, where the times of Windows begin, to 1970. */
const EPOCH_MS = 11_644_473_600_000;
const MAX_DATE_MS = 8.64e15;

/** Returns a FILETIME, a number of 100 ns, as ISO 8601; undefined if it is out of range. */
export function fileTimeToIso(fileTime: bigint): string | undefined {
  const ms = Number(fileTime / 10_000n) - EPOCH_MS;
  return Math.abs(ms) > MAX_DATE_MS ? undefined : new Date(ms).toISOString();
}
