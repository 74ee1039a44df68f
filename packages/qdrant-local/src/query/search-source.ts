import type { FilterSource } from '../filter/evaluate.ts';
import type { PointId } from '../model/point-id.ts';
import type { Vector } from '../model/vectors.ts';
import type { DenseBlock } from '../storage/dense-block.ts';
import type { SparseIndex } from '../storage/sparse-index.ts';
import type { Lookup, VectorInput } from './types.ts';

/** What one named vector of a collection is searched in. */
export type VectorField =
  | { readonly kind: 'dense'; readonly block: DenseBlock }
  | { readonly kind: 'sparse'; readonly index: SparseIndex; readonly idf: boolean };

/** What queries are run over: one collection. */
export interface SearchSource extends FilterSource {
  idAt(offset: number): PointId;
  /** All ids in order. */
  sortedIds(): readonly PointId[];
  vectorField(name: string): VectorField | undefined;
  /** A given vector, or that of a point, here or in the lookup's collection. @throws QdrantError 404 */
  resolveInput(input: VectorInput, using: string, lookup: Lookup | undefined): Vector;
  /** True when the lookup points to this collection itself, or there is none. */
  isOwnLookup(lookup: Lookup | undefined): boolean;
}
