import type { ConnectionCheck } from '../connector.ts';
import { SourceError } from '../source-error.ts';

/** A step of a connection test: what it looks at, and how. It answers with what it found, and throws `SourceError` for a refusal. */
export type CheckStep = readonly [name: string, look: () => Promise<string>];

/** Takes the steps one after another and stops at the first that the source refuses, which is a check that failed and no error. */
export async function runChecks(steps: readonly CheckStep[]): Promise<readonly ConnectionCheck[]> {
  const checks: ConnectionCheck[] = [];
  for (const [name, look] of steps) {
    try {
      checks.push({ name, ok: true, message: await look() });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      checks.push({ name, ok: false, message: error.message });
      break;
    }
  }
  return checks;
}
