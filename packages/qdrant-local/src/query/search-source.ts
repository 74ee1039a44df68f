import type { FilterSource } from '../filter/evaluate.ts';
import type { PointId } from '../model/point-id.ts';
import type { Vector } from '../model/vectors.ts';
import type { DenseBlock } from '../storage/dense-block.ts';
import type { SparseIndex } from '../storage/sparse-index.ts';
import type { Lookup, VectorInput } from './types.ts';

/** The storage of a named vector of a collection. */
export type VectorField =
  | { readonly kind: 'dense'; readonly block: DenseBlock }
  | { readonly kind: 'sparse'; readonly index: SparseIndex; readonly idf: boolean };

/** The data of a collection that queries use. */
export interface SearchSource extends FilterSource {
  idAt(offset: number): PointId;
  /** All ids in order. */
  sortedIds(): readonly PointId[];
  vectorField(name: string): VectorField | undefined;
  /**
   * Returns a given vector, or that of a point, here or in the lookup's collection.
   *
   * @throws QdrantError 404
   */
  resolveInput(input: VectorInput, using: string, lookup: Lookup | undefined): Vector;
  /** Returns whether the lookup refers to this collection, or is undefined. */
  isOwnLookup(lookup: Lookup | undefined): boolean;
}
