import { expect } from '@jest/globals';
import type { SourceEvent, SourceRef } from '#source';
import { refsOf } from '../support/read-source.ts';
import type { Subject, Wanted } from './subject.ts';

export const items = (count: number, prefix = 'item'): Wanted[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `${prefix}-${String(n).padStart(4, '0')}`,
    text: `text of ${prefix} ${n}`,
  }));
export const sorted = (ids: Iterable<string>) => [...ids].sort();
export const isAuthoritative = (events: readonly SourceEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'complete' && last.authoritative;
};

/** The ids of a listing; none twice unless the source may. */
export function listed(events: readonly SourceEvent[], subject: Subject): string[] {
  const ids = idsOf(events);
  if (subject.repeats !== true) expect(new Set(ids).size).toBe(ids.length);
  return sorted(new Set(ids));
}

export const lastCheckpoint = (events: readonly SourceEvent[]): string | undefined =>
  events.findLast((event) => event.type === 'checkpoint')?.at;

export const idsBefore = (events: readonly SourceEvent[], at: string | undefined): string[] => {
  const end = events.findLastIndex((event) => event.type === 'checkpoint' && event.at === at);
  return idsOf(events.slice(0, end + 1));
};

export const idsOf = (events: readonly SourceEvent[]): string[] => refsOf(events).map(({ id }) => id);

/** A listing up to the error that ends it. */
export async function collectUntilError(events: AsyncIterable<SourceEvent>) {
  const reported: SourceEvent[] = [];
  try {
    for await (const event of events) reported.push(event);
  } catch (error) {
    return { reported, error };
  }
  return { reported, error: undefined };
}

export const byId = (events: readonly SourceEvent[]): Map<string, SourceRef> =>
  new Map(refsOf(events).map((ref) => [ref.id, ref]));

/** So many of the numbers from 1 at most, evenly, the first and the last among them. */
export function sample(count: number, most: number): number[] {
  const step = Math.max(1, (count - 1) / (most - 1));
  const numbers = Array.from({ length: Math.min(count, most) }, (_, n) => Math.round(1 + n * step));
  return [...new Set(numbers)];
}
