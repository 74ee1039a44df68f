import { expect } from '@jest/globals';
import { GRACE_MS, type Outcome } from './requests.ts';

/** The errors that a fault may cause. Others are bugs. */
const FAIR: readonly string[] = ['ok', 'unavailable', 'timeout', 'conflict'];

/** Checks that every response came within its deadline plus a second in the envelope, and that every stream ended with one terminal event. */
export function expectFair(outcomes: readonly Outcome[], alsoFair: readonly string[] = []): void {
  const fair = [...FAIR, ...alsoFair];
  const unfair = outcomes.filter(({ result }) => !fair.includes(result));
  expect(unfair.map(({ kind, tag, result }) => `${kind.name} ${tag}: ${result}`)).toEqual([]);
  const late = outcomes.filter(({ kind, tookMs }) => tookMs > kind.deadlineMs + GRACE_MS);
  expect(late.map(({ kind, tag, tookMs }) => `${kind.name} ${tag}: ${Math.round(tookMs)} ms`)).toEqual([]);
}
