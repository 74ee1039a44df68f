import type { IndexSchema } from '../index/field-index.ts';
import type { JsonObject } from '../json/types.ts';
import type { Distance } from '../model/vectors.ts';

/** One dense vector of a collection. */
export interface DenseConfig {
  readonly size: number;
  readonly distance: Distance;
  /**
   * The parameters as given, including those without effect here. Returned in the collection's
   * info.
   */
  readonly params: JsonObject;
}

/** One sparse vector of a collection. */
export interface SparseConfig {
  readonly idf: boolean;
  readonly params: JsonObject;
}

/** The configuration of a collection. */
export interface CollectionConfig {
  /** True if the only dense vector has no name. Its name is then the empty string. */
  readonly unnamed: boolean;
  readonly dense: Readonly<Record<string, DenseConfig>>;
  readonly sparse: Readonly<Record<string, SparseConfig>>;
  /** Settings without effect here. They are returned in the collection's info. */
  readonly tuning: JsonObject;
  readonly metadata: JsonObject | undefined;
}

/** A payload index and its path. */
export interface NamedIndex extends IndexSchema {
  readonly path: string;
}
