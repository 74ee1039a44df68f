import { describe, it } from '@jest/globals';

type Declare = (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void;

const nameOf = (name: string, reason: string): string => `${name} (skipped: ${reason})`;

/** Returns `it` if the test can run, otherwise `it.skip` with the reason in the name. */
export function itIf(capable: boolean, reason: string): Declare {
  if (capable) return (name, body, timeoutMs) => it(name, body, timeoutMs);
  return (name, body, timeoutMs) => it.skip(nameOf(name, reason), body, timeoutMs);
}

/** Returns `describe` if the tests can run, otherwise `describe.skip` with the reason in the name. */
export function describeIf(capable: boolean, reason: string): (name: string, body: () => void) => void {
  if (capable) return (name, body) => describe(name, body);
  return (name, body) => describe.skip(nameOf(name, reason), body);
}
