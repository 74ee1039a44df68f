import { describe, expect, it } from '@jest/globals';
import { FILTER_LIMITS, filterSizeFault } from '#filters/filter-size';

const list = <T>(length: number, item: T): T[] => Array.from({ length }, () => item);

describe('filterSizeFault', () => {
  it.each([
    [{}],
    [{ author: 'Ada', source: null }],
    [{ 'metadata.x': list(FILTER_LIMITS.values, 1) }],
    [{ $or: list(160, { source: 'api' }) }],
  ])('accepts a filter within the limits (%#)', (filters) => expect(filterSizeFault(filters)).toBeUndefined());

  it.each([
    [{ $or: list(500, {}) }, /at most 500 conditions/],
    [{ $or: list(500, []) }, /at most 500 conditions/],
    [{ $and: list(200, { source: { $ne: 'api' } }) }, /at most 500 conditions/],
    [Object.fromEntries(list(501, 0).map((_, at) => [`metadata.${at}`, 1])), /at most 500 conditions/],
    [{ 'metadata.x': list(1_001, 1) }, /at most 1000 values/],
    [{ 'metadata.x': { $in: list(501, 1), $nin: list(501, 1) } }, /at most 1000 values/],
    [{ [`metadata.${'x'.repeat(500)}`]: 1 }, /names of more than 500 characters/],
  ])('rejects a filter over the limits (%#)', (filters, message) => expect(filterSizeFault(filters)).toMatch(message));
});
