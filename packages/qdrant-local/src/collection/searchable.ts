import { badInput, notFound, notSupported } from '../errors.ts';
import type { Vector } from '../model/vectors.ts';
import type { SearchSource } from '../query/search-source.ts';
import type { Lookup, VectorExample } from '../query/types.ts';
import type { Catalog } from './catalog.ts';
import type { Collection } from './collection.ts';
import type { PointStore } from './point-store.ts';

function vectorOfPoint(store: PointStore, input: VectorExample & { kind: 'point' }, name: string): Vector {
  const offset = store.offsetOf(input.id);
  if (offset === undefined) throw notFound(`No point with id ${input.id} found`);
  const vector = store.vectorAt(offset, name);
  if (!vector) throw notFound(`Vector with name ${JSON.stringify(name)} for point not found`);
  // Copied, because a later write would change a view into the block.
  return vector.kind === 'dense' ? { kind: 'dense', values: vector.values.slice() } : vector;
}

function averageOf(vectors: readonly Vector[]): Float32Array | undefined {
  const [first, ...others] = vectors.map((vector) => {
    if (vector.kind !== 'dense') throw notSupported('A recommend query with sparse vectors');
    return vector.values;
  });
  if (first === undefined || others.length === 0) return first;
  const sum = first.slice();
  for (const values of others) {
    if (values.length !== sum.length)
      throw badInput(`Vector dimension error: expected dim: ${sum.length}, got ${values.length}`);
    for (const [at, value] of values.entries()) sum[at] = (sum[at] ?? 0) + value;
  }
  return sum.map((value) => value / vectors.length);
}

/** Returns Qdrant's `avg_positive + avg_positive - avg_negative`; without negatives the average. */
function recommended(positive: readonly Vector[], negative: readonly Vector[]): Vector {
  const wanted = averageOf(positive) ?? new Float32Array();
  const unwanted = averageOf(negative);
  if (unwanted === undefined) return { kind: 'dense', values: wanted };
  return { kind: 'dense', values: wanted.map((value, at) => 2 * value - (unwanted[at] ?? 0)) };
}

/** Creates the search source of a collection. Vectors can be looked up in other collections. */
export function searchable(catalog: Catalog, collection: Collection): SearchSource {
  const { store } = collection;
  const lookedUp = (lookup: Lookup | undefined): Collection => (lookup ? catalog.get(lookup.collection) : collection);
  return {
    alive: store.alive,
    filterResults: store.filterResults,
    offsetOf: (id) => store.offsetOf(id),
    idAt: (offset) => store.idAt(offset),
    sortedIds: () => store.sortedIds(),
    payloadAt: (offset) => store.payloadAt(offset),
    fieldReader: (key) => store.fieldReader(key),
    vectorPresence: (name) => store.vectorPresence(name),
    vectorField: (name) => store.vectorField(name),
    fieldIndex: (path) => store.fieldIndex(path),
    isOwnLookup: (lookup) => lookedUp(lookup) === collection,
    resolveInput: (input, using, lookup) => {
      const { store: from } = lookedUp(lookup);
      const resolve = (example: VectorExample): Vector =>
        example.kind === 'vector' ? example.vector : vectorOfPoint(from, example, lookup?.vector ?? using);
      if (input.kind !== 'average') return resolve(input);
      return recommended(input.positive.map(resolve), input.negative.map(resolve));
    },
  };
}
