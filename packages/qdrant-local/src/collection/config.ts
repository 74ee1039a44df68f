import type { IndexSchema } from '../index/field-index.ts';
import type { JsonObject } from '../json/types.ts';
import type { Distance } from '../model/vectors.ts';

/** One dense vector of a collection. */
export interface DenseConfig {
  readonly size: number;
  readonly distance: Distance;
  /** The parameters as given (also those that only tune Qdrant), answered back in the collection's info. */
  readonly params: JsonObject;
}

/** One sparse vector of a collection. */
export interface SparseConfig {
  readonly idf: boolean;
  readonly params: JsonObject;
}

/** What a collection is made of. */
export interface CollectionConfig {
  /** True when the one dense vector was given without a name; its name is then the empty text. */
  readonly unnamed: boolean;
  readonly dense: Readonly<Record<string, DenseConfig>>;
  readonly sparse: Readonly<Record<string, SparseConfig>>;
  /** Settings that have no effect on answers here and are kept to be answered back. */
  readonly tuning: JsonObject;
  readonly metadata: JsonObject | undefined;
}

/** A payload index with the path it is over. */
export interface NamedIndex extends IndexSchema {
  readonly path: string;
}
