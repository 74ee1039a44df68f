import { expect } from '@jest/globals';
import type { SourceEvent, SourceRef } from '#source';
import { idsOf, refsOf } from '../support/read-source.ts';
import type { NewItem, TestSourceType } from './test-source.ts';

export const items = (count: number, prefix = 'item'): NewItem[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `${prefix}-${String(n).padStart(4, '0')}`,
    text: `text of ${prefix} ${n}`,
  }));
export const sorted = (ids: Iterable<string>) => [...ids].sort();
export const isAuthoritative = (events: readonly SourceEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'complete' && last.authoritative;
};

/**
 * Returns the sorted ids of a listing. Fails on repeated ids, unless the source can repeat them.
 */
export function listed(events: readonly SourceEvent[], sourceType: TestSourceType): string[] {
  const ids = idsOf(events);
  if (sourceType.repeats !== true) expect(new Set(ids).size).toBe(ids.length);
  return sorted(new Set(ids));
}

export const lastCheckpoint = (events: readonly SourceEvent[]): string | undefined =>
  events.findLast((event) => event.type === 'checkpoint')?.at;

export const idsBefore = (events: readonly SourceEvent[], at: string | undefined): string[] => {
  const end = events.findLastIndex((event) => event.type === 'checkpoint' && event.at === at);
  return idsOf(events.slice(0, end + 1));
};

export const byId = (events: readonly SourceEvent[]): Map<string, SourceRef> =>
  new Map(refsOf(events).map((ref) => [ref.id, ref]));

/** Returns at most `most` evenly spaced numbers from 1 to `count`, including both ends. */
export function sample(count: number, most: number): number[] {
  const step = Math.max(1, (count - 1) / (most - 1));
  const numbers = Array.from({ length: Math.min(count, most) }, (_, n) => Math.round(1 + n * step));
  return [...new Set(numbers)];
}
