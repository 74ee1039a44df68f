import { createContext, Script } from 'node:vm';

const script = new Script('work()');

/** Returns true if work was stopped, because it took too long. */
export const isTimeout = (error: unknown): boolean => Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs synchronous work on data of others, at most `timeoutMs`. Also stops regular expressions that
 * backtrack for ever.
 */
export function withinCpu<T>(work: () => T, timeoutMs: number): T {
  let result: { readonly value: T } | undefined;
  const run = () => {
    result = { value: work() };
  };
  script.runInContext(createContext({ work: run }), { timeout: timeoutMs });
  if (result === undefined) throw new TypeError('The work has not run.');
  return result.value;
}
