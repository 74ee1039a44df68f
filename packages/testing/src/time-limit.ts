/** How many times longer a limit of ours may take where other work shares the machine. */
const SLACK = 20;

/**
 * How long something with a promised limit may take in a test, in milliseconds: the limit itself under `npm run bench:limits`,
 * which runs these tests one by one with nothing beside them, and 20 times the limit otherwise, so that `npm test` still
 * notices what hangs or grows without bound and says nothing about the machine.
 */
export function timeLimit(promisedMs: number): number {
  return process.env.LECTERN_EXACT_TIMES ? promisedMs : promisedMs * SLACK;
}
