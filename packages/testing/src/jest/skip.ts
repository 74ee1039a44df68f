import { describe, it } from '@jest/globals';

type Declare = (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void;

const nameOf = (name: string, reason: string): string => `${name} (skipped: ${reason})`;

/** `it` if the machine or subject can run the test, otherwise `it.skip` with the reason in the name. */
export function itIf(capable: boolean, reason: string): Declare {
  if (capable) return (name, body, timeoutMs) => it(name, body, timeoutMs);
  return (name, body, timeoutMs) => it.skip(nameOf(name, reason), body, timeoutMs);
}

/** `describe` if the machine or subject can run the tests, otherwise `describe.skip` with the reason. */
export function describeIf(capable: boolean, reason: string): (name: string, body: () => void) => void {
  if (capable) return (name, body) => describe(name, body);
  return (name, body) => describe.skip(nameOf(name, reason), body);
}
