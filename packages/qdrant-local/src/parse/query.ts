import { badRequest, formatError, notSupported } from '../errors.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { parseDatetimeMicros } from '../model/datetime.ts';
import { parsePointId } from '../model/point-id.ts';
import { DEFAULT_VECTOR } from '../model/vectors.ts';
import type { Lookup, OrderBy, Query, QueryStage, VectorExample } from '../query/types.ts';
import { readFormula } from './expression.ts';
import { optionalFilter, parseOnce } from './filter.ts';
import {
  oneOrMany,
  optional,
  readArray,
  readNumber,
  readObject,
  readPath,
  readPointId,
  readString,
  readUnsigned,
  required,
} from './reader.ts';
import { readVector } from './vectors.ts';

const maxPrefetchDepth = 64;
const defaultLimit = 10;
const defaultRrfK = 2;
const defaultGroupSize = 3;
const unsupportedQueries = ['discover', 'context', 'relevance_feedback'] as const;

/** Parses `order_by`: a key, or `{key, direction, start_from}`. @throws QdrantError 400 */
export function readOrderBy(value: JsonValue): OrderBy {
  if (typeof value === 'string') return { path: readPath(value, 'order_by'), direction: 'asc', startFrom: undefined };
  const object = readObject(value, 'order_by');
  const direction = optional(object, 'direction') ?? 'asc';
  if (direction !== 'asc' && direction !== 'desc') throw formatError('order_by.direction: expected `asc` or `desc`');
  return {
    path: readPath(required(object, 'key'), 'order_by.key'),
    direction,
    startFrom: readStartFrom(optional(object, 'start_from')),
  };
}

function readStartFrom(value: JsonValue | undefined): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  const micros = typeof value === 'string' ? parseDatetimeMicros(value) : undefined;
  if (micros === undefined) throw formatError('order_by.start_from: expected a number or an RFC 3339 date');
  return micros;
}

function readVectorInput(value: JsonValue): VectorExample {
  if (typeof value === 'number' || typeof value === 'string') return { kind: 'point', id: readPointId(value) };
  return { kind: 'vector', vector: readVector(value, 'query') };
}

function readRecommend(object: JsonObject): Query {
  const strategy = optional(object, 'strategy') ?? 'average_vector';
  if (strategy !== 'average_vector') throw notSupported(`The recommend strategy ${JSON.stringify(strategy)}`);
  const examples = (name: 'positive' | 'negative') => {
    const list = optional(object, name);
    return list === undefined ? [] : readArray(list, `query.recommend.${name}`).map(readVectorInput);
  };
  const positive = examples('positive');
  if (positive.length === 0)
    throw badRequest('A recommend query with the strategy average_vector needs a positive example');
  return { kind: 'nearest', input: { kind: 'average', positive, negative: examples('negative') } };
}

function readRrf(object: JsonObject): Query {
  const k = optional(object, 'k');
  const weights = optional(object, 'weights');
  return {
    kind: 'rrf',
    k: k === undefined ? defaultRrfK : readUnsigned(k, 'query.rrf.k', 1),
    weights: weights === undefined ? undefined : readArray(weights, 'weights').map((w) => readNumber(w, 'weights')),
  };
}

function readFusion(value: JsonValue): Query {
  if (value === 'rrf') return { kind: 'rrf', k: defaultRrfK, weights: undefined };
  if (value === 'dbsf') return { kind: 'dbsf' };
  throw formatError('query.fusion: expected `rrf` or `dbsf`');
}

function readQuery(value: JsonValue): Query {
  if (!isJsonObject(value)) return { kind: 'nearest', input: readVectorInput(value) };
  for (const kind of unsupportedQueries) if (Object.hasOwn(value, kind)) throw notSupported(`The query \`${kind}\``);
  if (Object.hasOwn(value, 'nearest')) {
    if (optional(value, 'mmr') !== undefined) throw notSupported('The query parameter `mmr`');
    return { kind: 'nearest', input: readVectorInput(required(value, 'nearest')) };
  }
  if (Object.hasOwn(value, 'recommend'))
    return readRecommend(readObject(required(value, 'recommend'), 'query.recommend'));
  if (Object.hasOwn(value, 'order_by')) return { kind: 'orderBy', orderBy: readOrderBy(required(value, 'order_by')) };
  if (Object.hasOwn(value, 'fusion')) return readFusion(required(value, 'fusion'));
  if (Object.hasOwn(value, 'rrf')) return readRrf(readObject(required(value, 'rrf'), 'query.rrf'));
  if (Object.hasOwn(value, 'formula')) return { kind: 'formula', formula: readFormula(value) };
  if (Object.hasOwn(value, 'sample')) {
    if (ownValue(value, 'sample') !== 'random') throw formatError('query.sample: expected `random`');
    return { kind: 'sample' };
  }
  return { kind: 'nearest', input: { kind: 'vector', vector: readVector(value, 'query') } };
}

function readLookup(value: JsonValue | undefined): Lookup | undefined {
  if (value === undefined) return undefined;
  const object = readObject(value, 'lookup_from');
  const vector = optional(object, 'vector');
  return {
    collection: readString(required(object, 'collection'), 'lookup_from.collection'),
    vector: vector === undefined ? undefined : readString(vector, 'lookup_from.vector'),
  };
}

function readIdfCorpus(object: JsonObject): QueryStage['idfCorpus'] {
  const params = optional(object, 'params');
  const idf = params === undefined ? undefined : optional(readObject(params, 'params'), 'idf');
  if (idf === undefined || idf === 'global') return undefined;
  return parseOnce(required(readObject(idf, 'params.idf'), 'corpus'));
}

function checkStage(stage: QueryStage): void {
  if (stage.prefetch.length > 0 && !stage.query)
    throw badRequest("A query is needed to merge the prefetches. Can't have prefetches without defining a query.");
  if (stage.scoreThreshold !== undefined && !stage.query)
    throw badRequest(
      "A query is needed to use the score_threshold. Can't have score_threshold without defining a query.",
    );
  if (stage.scoreThreshold !== undefined && stage.query?.kind === 'orderBy')
    throw badRequest("Can't use score_threshold with an order_by query.");
  const isFusion = stage.query?.kind === 'rrf' || stage.query?.kind === 'dbsf';
  if (isFusion && stage.using !== DEFAULT_VECTOR)
    throw badRequest("Fusion queries cannot be combined with the 'using' field.");
}

/** Parses a stage of a query: the request itself or a prefetch. @throws QdrantError 400 or 422 */
export function readStage(object: JsonObject, depth = 0): QueryStage {
  if (depth > maxPrefetchDepth) throw badRequest(`prefetches depth ${depth} exceeds max depth ${maxPrefetchDepth}`);
  const query = optional(object, 'query');
  const using = optional(object, 'using');
  const threshold = optional(object, 'score_threshold');
  const stage: QueryStage = {
    prefetch: oneOrMany(optional(object, 'prefetch')).map((p) => readStage(readObject(p, 'prefetch'), depth + 1)),
    query: query === undefined ? undefined : readQuery(query),
    using: using === undefined ? DEFAULT_VECTOR : readString(using, 'using'),
    filter: optionalFilter(object),
    idfCorpus: readIdfCorpus(object),
    scoreThreshold: threshold === undefined ? undefined : readNumber(threshold, 'score_threshold'),
    limit: readLimit(object, depth === 0 ? 'internal.limit' : 'prefetch.limit'),
    lookup: readLookup(optional(object, 'lookup_from')),
  };
  checkStage(stage);
  return stage;
}

function readLimit(object: JsonObject, field: string): number {
  const limit = optional(object, 'limit');
  return limit === undefined ? defaultLimit : readUnsigned(limit, field, 1);
}

/** Parses the number of best hits to skip. @throws QdrantError 400 */
export function readOffset(object: JsonObject): number {
  const offset = optional(object, 'offset');
  return offset === undefined ? 0 : readUnsigned(offset, 'offset');
}

/** Parses the `searches` of a batch. @throws QdrantError 400 or 422 */
export function readSearches(object: JsonObject): readonly JsonObject[] {
  const searches = required(object, 'searches');
  if (!isJsonArray(searches)) throw formatError('searches: expected an array');
  return searches.map((search) => readObject(search, 'searches'));
}

/** Parses the maximum number of hits per group. @throws QdrantError 400 or 422 */
export function readGroupSize(object: JsonObject): number {
  const size = optional(object, 'group_size');
  return size === undefined ? defaultGroupSize : readUnsigned(size, 'group_size', 1);
}

/** Parses a point id in a path. @throws QdrantError 400 */
export function readPathPointId(text: string) {
  const id = /^\d+$/.test(text) ? parsePointId(Number(text)) : parsePointId(text);
  if (id === undefined) throw badRequest(`Can not recognize "${text}" as point id`);
  return id;
}
