/** How many times its promised time an operation may take on a loaded CI machine. */
const LOADED_MACHINE = 3;
/** How many times its usual time a wait may take before the test gives up. */
const SLOW_WAIT = 20;

const isExact = (): boolean => process.env.LECTERN_EXACT_TIMES === '1';

/**
 * The most milliseconds that something with a promised time may take in a test: the promise itself
 * under `npm run bench:limits`, which runs these tests alone, and three times as much otherwise.
 */
export function timeLimit(promisedMs: number): number {
  return isExact() ? promisedMs : promisedMs * LOADED_MACHINE;
}

/** How long to wait for something that usually takes `usualMs`. Long enough that only a hang ends it. */
export function waitLimit(usualMs: number): number {
  return isExact() ? usualMs : usualMs * SLOW_WAIT;
}
