/** The factor by which an operation can exceed its specified time on a loaded CI machine. */
const LOADED_MACHINE = 3;
/** The factor by which a wait can exceed its usual time before the test fails. */
const SLOW_WAIT = 20;

const isExact = (): boolean => process.env.LECTERN_EXACT_TIMES === '1';

/**
 * Returns the time limit of an operation in a test, in milliseconds: the specified time under
 * `npm run bench:limits`, which runs only these tests, and three times as much otherwise.
 */
export function timeLimit(promisedMs: number): number {
  return isExact() ? promisedMs : promisedMs * LOADED_MACHINE;
}

/** Returns how long to wait for an operation that usually takes `usualMs`: long enough that only a hang exceeds it. */
export function waitLimit(usualMs: number): number {
  return isExact() ? usualMs : usualMs * SLOW_WAIT;
}
