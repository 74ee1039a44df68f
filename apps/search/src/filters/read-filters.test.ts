import { describe, expect, it } from '@jest/globals';
import { readFilters } from '#filters/read-filters';

const issuesOf = (filters: Record<string, unknown>) => {
  try {
    readFilters(filters);
  } catch (error) {
    return (error as { details: { issues: { path: string; message: string }[] } }).details.issues;
  }
  return [];
};
const nested = (depth: number): Record<string, unknown> =>
  depth === 0 ? { source: 'api' } : { $not: nested(depth - 1) };

describe('readFilters', () => {
  it('returns undefined for no filters', () => {
    expect(readFilters(undefined)).toBeUndefined();
    expect(readFilters({})).toBeUndefined();
  });

  it('reads every operator', () => {
    expect(readFilters({ source: 'github' })).toEqual({ field: 'source', op: 'eq', value: 'github' });
    expect(readFilters({ 'metadata.tags': ['a', 'b'] })).toEqual({
      field: 'metadata.tags',
      op: 'in',
      value: ['a', 'b'],
    });
    expect(readFilters({ 'metadata.x': null })).toEqual({ field: 'metadata.x', op: 'eq', value: null });
    expect(readFilters({ 'metadata.pages': { $gt: 1, $lte: 5 }, author: { $nin: ['Ada'] } })).toEqual({
      all: [
        {
          all: [
            { field: 'metadata.pages', op: 'gt', value: 1 },
            { field: 'metadata.pages', op: 'lte', value: 5 },
          ],
        },
        { field: 'author', op: 'nin', value: ['Ada'] },
      ],
    });
    expect(
      readFilters({
        $or: [
          { type: { $ne: 'pdf' } },
          { $not: { connector: { $exists: true } } },
          { author: { $not: { $eq: 'Ada' } } },
        ],
      }),
    ).toEqual({
      any: [
        { field: 'type', op: 'ne', value: 'pdf' },
        { not: { field: 'connector', op: 'exists', value: true } },
        { not: { field: 'author', op: 'eq', value: 'Ada' } },
      ],
    });
  });

  it.each<[Record<string, unknown>, string, RegExp]>([
    [{ autor: 'Ada' }, 'filters.autor', /Use one of source, connector, collection, author, type/],
    [{ metadata: 'x' }, 'filters.metadata', /metadata\.\*/],
    [{ $nor: [] }, 'filters.$nor', /Use \$and, \$or or \$not/],
    [{ author: { $like: 'A' } }, 'filters.author.$like', /Use one of \$eq/],
    [{ author: { name: 'A' } }, 'filters.author.name', /unknown operator/],
    [{ author: {} }, 'filters.author', /must be a value/],
    [{ $and: [{ source: 5 }] }, 'filters.$and[0].source', /must be a string/],
    [{ $or: [] }, 'filters.$or', /at least 1/],
    [{ $or: ['x'] }, 'filters.$or[0]', /must be an object/],
    [{ $not: 'x' }, 'filters.$not', /must be an object/],
    [{ source: { $in: 'x' } }, 'filters.source.$in', /must be a list/],
    [{ source: { $in: ['x', 1] } }, 'filters.source.$in[1]', /must be a string/],
    [{ source: { $gt: 'x' } }, 'filters.source.$gt', /does not apply/],
    [{ updatedAt: 'yesterday' }, 'filters.updatedAt', /ISO 8601/],
    [{ createdAt: { $gt: 5 } }, 'filters.createdAt.$gt', /ISO 8601/],
    [{ 'metadata.x': { $gt: 'y' } }, 'filters.metadata.x.$gt', /a number or a date/],
    [{ author: { $exists: 1 } }, 'filters.author.$exists', /true or false/],
    [{ 'metadata.x': [['y']] }, 'filters.metadata.x[0]', /must be a string, a number/],
    [{ 'metadata.x': { $not: { $not: { $eq: 1 } } } }, 'filters.metadata.x.$not.$not', /must not be inside/],
    [nested(10), 'filters.$not.$not.$not.$not.$not.$not.$not.$not.$not.$not', /deeper than 10/],
    [{ 'metadata.x': Array.from({ length: 1_001 }, (_, at) => at) }, 'filters', /at most 1000 values/],
    [{ $or: Array.from({ length: 500 }, () => ({})) }, 'filters', /at most 500 conditions/],
    [{ $and: Array.from({ length: 21 }, (_, at) => ({ 'metadata.x': { $gt: at } })) }, 'filters', /at most 20 ranges/],
  ])('rejects %j at %s', (filters, path, message) => {
    expect(issuesOf(filters)).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  it('reports at most 20 issues', () => {
    const unknown = Object.fromEntries(Array.from({ length: 240 }, (_, at) => [`unknown${at}`, at]));
    expect(issuesOf(unknown)).toHaveLength(20);
  });

  it('reports all issues together', () => {
    expect(issuesOf({ a: 1, b: 2, $or: 3 }).map(({ path }) => path)).toEqual(['filters.a', 'filters.b', 'filters.$or']);
  });
});
