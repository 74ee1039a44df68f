import { notFound } from '../errors.ts';
import type { Vector } from '../model/vectors.ts';
import type { SearchSource } from '../query/search-source.ts';
import type { Lookup, VectorInput } from '../query/types.ts';
import type { Catalog } from './catalog.ts';
import type { Collection } from './collection.ts';
import type { PointStore } from './point-store.ts';

function vectorOfPoint(store: PointStore, input: VectorInput & { kind: 'point' }, name: string): Vector {
  const offset = store.offsetOf(input.id);
  if (offset === undefined) throw notFound(`No point with id ${input.id} found`);
  const vector = store.vectorAt(offset, name);
  if (!vector) throw notFound(`Vector with name ${JSON.stringify(name)} for point not found`);
  // Copied, because a later write would change a view into the block.
  return vector.kind === 'dense' ? { kind: 'dense', values: vector.values.slice() } : vector;
}

/** Creates the search source of a collection. Vectors can be looked up in other collections. */
export function searchable(catalog: Catalog, collection: Collection): SearchSource {
  const { store } = collection;
  const lookedUp = (lookup: Lookup | undefined): Collection => (lookup ? catalog.get(lookup.collection) : collection);
  return {
    alive: store.alive,
    offsetOf: (id) => store.offsetOf(id),
    idAt: (offset) => store.idAt(offset),
    sortedIds: () => store.sortedIds(),
    payloadAt: (offset) => store.payloadAt(offset),
    fieldReader: (key) => store.fieldReader(key),
    vectorPresence: (name) => store.vectorPresence(name),
    vectorField: (name) => store.vectorField(name),
    fieldIndex: (path) => store.fieldIndex(path),
    isOwnLookup: (lookup) => lookedUp(lookup) === collection,
    resolveInput: (input, using, lookup) =>
      input.kind === 'vector' ? input.vector : vectorOfPoint(lookedUp(lookup).store, input, lookup?.vector ?? using),
  };
}
