import fc from 'fast-check';
import type { TestQuery } from './brute-force.ts';
import { COLLECTIONS, DAYS, PRINCIPALS, SOURCES, TAGS, TYPES, WORDS } from './corpus.ts';

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);

/** Values to compare a field with: existing ones, ones of another type, and unknown ones. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  source: [...SOURCES, 'none'],
  type: TYPES,
  connector: ['con_1', 'con_2', null],
  collection: ['col_1', 'col_3'],
  author: ['Ada', 'Bob', 'Cleo', 5, null],
  updatedAt: DAYS,
  createdAt: DAYS,
  'metadata.author': ['Ada', 'Bob'],
  'metadata.pages': [0, 1, 2, 2.5, '2', null],
  'metadata.tags': [...TAGS, null],
  'metadata.owner.team': ['ops', 'dev'],
  'metadata.owner.cost.center': [1, 2],
  'metadata.draft': [true, false, null],
  'metadata.due': DAYS,
  'metadata.none': ['x', 1, true, null],
};

/** Fields whose values are chosen like in a shop. */
const FACETS = ['source', 'type', 'collection', 'author', 'updatedAt', 'metadata.pages', 'metadata.tags'];

const RANGES: Readonly<Record<string, readonly (string | number)[]>> = {
  updatedAt: DAYS,
  createdAt: ['2026-01-02T08:00:00Z', '2026-01-15'],
  'metadata.pages': [1, 2, 2.25],
  'metadata.due': DAYS,
};

const equality = oneOf(Object.keys(VALUES)).chain((field) => {
  const value = oneOf(VALUES[field] ?? []);
  const values = fc.array(value, { maxLength: 3 });
  return fc
    .oneof(
      value,
      values,
      fc.record({ $eq: value }),
      fc.record({ $ne: value }),
      fc.record({ $in: values }),
      fc.record({ $nin: values }),
      fc.record({ $exists: fc.boolean() }),
    )
    .map((comparison): Record<string, unknown> => ({ [field]: comparison }));
});

const range = oneOf(Object.keys(RANGES)).chain((field) =>
  fc
    .tuple(oneOf(['$gt', '$gte', '$lt', '$lte']), oneOf(RANGES[field] ?? []))
    .map(([operator, bound]): Record<string, unknown> => ({ [field]: { [operator]: bound } })),
);

/** Filters in the format of the contract. */
const filters: fc.Arbitrary<Record<string, unknown>> = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    equality,
    equality,
    range,
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((list) => ({ $and: list })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((list) => ({ $or: list })),
    tie('filter').map((filter) => ({ $not: filter })),
  ),
})).filter;

const query: fc.Arbitrary<TestQuery> = fc.record({
  words: fc.array(oneOf(WORDS), { maxLength: 3 }),
  phrase: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(oneOf(WORDS), { minLength: 1, maxLength: 2 })),
  excluded: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(oneOf(WORDS), { minLength: 1, maxLength: 2 })),
  excludedPhrase: fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    fc.array(oneOf(WORDS), { minLength: 2, maxLength: 2 }),
  ),
});

/** Returns the text of a query. */
export function textOf({ words, phrase, excluded, excludedPhrase }: TestQuery): string {
  return [
    ...words,
    ...(phrase.length > 0 ? [`"${phrase.join(' ')}"`] : []),
    ...excluded.map((word) => `-${word}`),
    ...(excludedPhrase.length > 0 ? [`-"${excludedPhrase.join(' ')}"`] : []),
  ].join(' ');
}

/** Chosen values of facets. */
const facetFilters = fc.dictionary(oneOf(FACETS), fc.array(fc.nat(2), { maxLength: 2 }), { maxKeys: 2 }).map((chosen) =>
  Object.fromEntries(
    Object.entries(chosen).map(([field, places]) => {
      const values = (VALUES[field] ?? []).filter((value) => value !== null);
      return [field, [...new Set(places.map((at) => values[at % values.length]))]];
    }),
  ),
);

/** A query, filter and scope, with facets to count. */
export const testCase = fc.record({
  query,
  filters: fc.option(filters, { nil: {} }),
  facetFilters: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, facetFilters),
  collections: fc.subarray(COLLECTIONS, { minLength: 1 }),
  principals: fc.option(fc.subarray(PRINCIPALS), { nil: undefined }),
  facets: fc.uniqueArray(oneOf(Object.keys(VALUES)), { minLength: 2, maxLength: 2 }),
});
