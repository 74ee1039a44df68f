import type { ConnectionCheck } from '#connector';
import { SourceError } from '#source-error';

/**
 * A step of a connection test. `check` returns a message, and throws `SourceError` if the check
 * fails.
 */
export type CheckStep = readonly [name: string, check: () => Promise<string>];

/**
 * Runs the steps in order and stops at the first that fails. A failed check is part of the result,
 * not an error.
 */
export async function runChecks(steps: readonly CheckStep[]): Promise<readonly ConnectionCheck[]> {
  const checks: ConnectionCheck[] = [];
  for (const [name, check] of steps) {
    try {
      checks.push({ name, ok: true, message: await check() });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      checks.push({ name, ok: false, message: error.message, kind: error.kind });
      break;
    }
  }
  return checks;
}
