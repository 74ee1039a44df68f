import type { FilterField } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { oneOf } from '#filter/conditions';
import { type FactValue, factKey, factValue } from '#layout/facts';
import { type DocumentsRequest, documentFilterOf } from '#read/scoped-request';
import { ScopedFilter } from '#scope/scoped-filter';

/** Fields whose values can be counted. Dates are counted by UTC day. */
export type FacetField = FilterField;

export interface FacetRequest extends DocumentsRequest {
  readonly field: FacetField;
  /** The maximum number of values to return. Default: all. */
  readonly limit?: number | undefined;
  /**
   * The maximum number of values to read for a count. A field with more values in its list rejects
   * with `invalid_request`.
   */
  readonly maxValues?: number | undefined;
}

export interface FacetValue {
  readonly value: FactValue;
  /** Distinct documents with this value. */
  readonly count: number;
}

export interface CountByDocument extends CallOptions {
  readonly team: string;
  readonly documents: readonly string[];
}

/** More values than any field has, so that none is missing. */
const ALL_VALUES = 1_000_000;

const facetHits = z.array(z.object({ value: z.union([z.string(), z.number(), z.boolean()]), count: z.int() }));

/**
 * Counts the documents of each value of a field, exactly. The most frequent value comes first;
 * equal counts are ordered by value.
 */
export async function facet(
  connection: QdrantConnection,
  collection: string,
  request: FacetRequest,
): Promise<FacetValue[]> {
  const { field, limit = ALL_VALUES, signal } = request;
  const filter = documentFilterOf(request);
  if (filter.matchesNothing) return [];
  if (hasOwnIndex(field)) return facetPoints(connection, collection, field, filter, { limit, signal });
  const max = request.maxValues ?? ALL_VALUES;
  const facts = await facetPoints(connection, collection, factKey(field), filter, { limit: max + 1, signal });
  if (facts.length > max) {
    const message = `The field ${field}, together with fields stored in the same list, has more than ${max} different values. Use collections or filters to narrow the search.`;
    throw new AppError('invalid_request', message, { details: { field, most: max } });
  }
  return facts
    .flatMap(({ value: fact, count }) => {
      const value = factValue(field, String(fact));
      return value === undefined ? [] : [{ value, count }];
    })
    .sort((a, b) => b.count - a.count || compareFactValues(a.value, b.value))
    .slice(0, limit);
}

/**
 * Orders values of one type naturally, texts by code units, and values of different types by type.
 */
export function compareFactValues(a: FactValue, b: FactValue): number {
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

/** Returns the number of passages of each document in all versions; 0 for unknown documents. */
export async function countByDocument(
  connection: QdrantConnection,
  collection: string,
  { team, documents, signal }: CountByDocument,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(documents.map((document) => [document, 0]));
  if (documents.length === 0) return counts;
  const filter = ScopedFilter.within({ team }).and(oneOf('document', documents));
  const found = await facetPoints(connection, collection, 'document', filter, { limit: documents.length, signal });
  for (const { value, count } of found) counts.set(String(value), count);
  return counts;
}

/** Returns the ids of all documents that match a request. */
export async function listDocuments(
  connection: QdrantConnection,
  collection: string,
  request: DocumentsRequest,
): Promise<string[]> {
  const filter = documentFilterOf(request);
  if (filter.matchesNothing) return [];
  const { signal } = request;
  const found = await facetPoints(connection, collection, 'document', filter, { limit: ALL_VALUES, signal });
  return found.map(({ value }) => String(value));
}

function hasOwnIndex(field: FacetField): boolean {
  return field === 'source' || field === 'connector' || field === 'collection' || field === 'type';
}

async function facetPoints(
  connection: QdrantConnection,
  collection: string,
  key: string,
  filter: ScopedFilter,
  { limit, signal }: { readonly limit: number } & CallOptions,
): Promise<FacetValue[]> {
  const { hits } = await connection.read(
    'facet',
    REQUESTS.facet(collection, { key, filter: filter.toQdrant(), limit, exact: true }),
    { signal, ifMissing: () => ({ hits: [] }) },
  );
  return facetHits.parse(hits);
}
