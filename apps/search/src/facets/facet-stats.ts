import { parseIsoDate } from '@lectern/contracts';
import type { FacetValue, VectorStore } from '@lectern/vector-store';
import { documentsOf, type ModelMatch } from '#match/model-match';

/** Statistics of a field's numbers or dates. */
export interface FacetStats {
  /** Numbers, or dates in ISO 8601 format. */
  readonly min: number | string;
  readonly max: number | string;
  /** Only for numbers. */
  readonly avg: number | undefined;
  readonly sum: number | undefined;
  /** The number of values: a document with several distinct values adds each of them. */
  readonly count: number;
}

/**
 * Returns the statistics of a metadata field: those of its numbers, or those of its ISO 8601 dates
 * if it has no numbers.
 */
export function statsOfValues(values: readonly FacetValue[]): FacetStats | undefined {
  return statsOfNumbers(values) ?? statsOfDateTexts(values);
}

function statsOfNumbers(values: readonly FacetValue[]): FacetStats | undefined {
  let [min, max, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const { value, count: documents } of values) {
    if (typeof value !== 'number') continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value * documents;
    count += documents;
  }
  return count === 0 ? undefined : { min, max, avg: sum / count, sum, count };
}

function statsOfDateTexts(values: readonly FacetValue[]): FacetStats | undefined {
  let min: { time: number; text: string } | undefined;
  let max: { time: number; text: string } | undefined;
  let count = 0;
  for (const { value: text, count: documents } of values) {
    const time = typeof text === 'string' ? parseIsoDate(text) : undefined;
    if (typeof text !== 'string' || time === undefined) continue;
    if (min === undefined || time < min.time) min = { time, text };
    if (max === undefined || time > max.time) max = { time, text };
    count += documents;
  }
  if (min === undefined || max === undefined) return undefined;
  return { min: min.text, max: max.text, avg: undefined, sum: undefined, count };
}

/** Returns the statistics of a built-in date, to the millisecond. */
export async function statsOfDates(
  store: VectorStore,
  matches: readonly ModelMatch[],
  by: 'createdAt' | 'updatedAt',
): Promise<FacetStats | undefined> {
  const first = { offset: 0, limit: 1, by };
  const parts = await Promise.all(
    matches.map(async (match) => {
      const { model } = match;
      const matched = documentsOf(match, by);
      const [oldest, newest, count] = await Promise.all([
        store.listByDate(model, { ...matched, ...first, order: 'oldest' }),
        store.listByDate(model, { ...matched, ...first, order: 'newest' }),
        store.countDocuments(model, matched),
      ]);
      return { dates: [...oldest, ...newest].map(({ date }) => date), count };
    }),
  );
  const dates = parts.flatMap((part) => part.dates);
  if (dates.length === 0) return undefined;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const iso = (time: number) => new Date(time).toISOString();
  return { min: iso(Math.min(...dates)), max: iso(Math.max(...dates)), avg: undefined, sum: undefined, count };
}
