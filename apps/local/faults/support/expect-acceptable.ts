import { expect } from '@jest/globals';
import { GRACE_MS, type Outcome } from './requests.ts';

/** The results that a fault can cause. Others are bugs. */
const ACCEPTABLE: readonly string[] = ['ok', 'unavailable', 'timeout', 'conflict'];

/**
 * Checks that every response came within its deadline plus a second, in the envelope, and that every
 * stream ended with one terminal event.
 */
export function expectAcceptable(outcomes: readonly Outcome[], alsoAcceptable: readonly string[] = []): void {
  const acceptable = [...ACCEPTABLE, ...alsoAcceptable];
  const unacceptable = outcomes.filter(({ result }) => !acceptable.includes(result));
  expect(unacceptable.map(({ kind, tag, result }) => `${kind.name} ${tag}: ${result}`)).toEqual([]);
  const late = outcomes.filter(({ kind, tookMs }) => tookMs > kind.deadlineMs + GRACE_MS);
  expect(late.map(({ kind, tag, tookMs }) => `${kind.name} ${tag}: ${Math.round(tookMs)} ms`)).toEqual([]);
}
