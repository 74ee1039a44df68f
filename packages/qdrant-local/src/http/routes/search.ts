import { createPointWriter } from '../../collection/render-point.ts';
import { scrollPoints } from '../../collection/scroll.ts';
import { searchable } from '../../collection/searchable.ts';
import { badRequest } from '../../errors.ts';
import { evaluateFilter } from '../../filter/evaluate.ts';
import type { JsonWriter } from '../../json/json-writer.ts';
import type { JsonObject } from '../../json/types.ts';
import { parsePointId } from '../../model/point-id.ts';
import { isLargerBetter } from '../../model/vectors.ts';
import { optionalFilter } from '../../parse/filter.ts';
import { readGroupSize, readOffset, readOrderBy, readSearches, readStage } from '../../parse/query.ts';
import { optional, readObject, readPath, readPointId, readString, readUnsigned, required } from '../../parse/reader.ts';
import { readProjection } from '../../parse/selectors.ts';
import { executeQuery } from '../../query/execute.ts';
import { countFacet } from '../../query/facet.ts';
import { type GroupId, queryGroups } from '../../query/groups.ts';
import type { SearchSource } from '../../query/search-source.ts';
import type { QueryStage } from '../../query/types.ts';
import { collectionName, type RequestContext, type Route, result, written } from '../route.ts';

const collection = '/collections/{name}';

function writeQuery(context: RequestContext, body: JsonObject, json: JsonWriter): void {
  const target = context.catalog.get(collectionName(context));
  const projection = readProjection(body, false);
  const hits = executeQuery(searchable(context.catalog, target), readStage(body), readOffset(body));
  json.text('{"points":');
  json.list(hits, createPointWriter(target.store, projection, json).hit);
  json.text('}');
}

function isLargerBetterFor(source: SearchSource, stage: QueryStage): boolean {
  if (stage.query?.kind !== 'nearest') return true;
  const field = source.vectorField(stage.using);
  return field?.kind !== 'dense' || isLargerBetter(field.block.distance);
}

/**
 * Writes the looked-up point of a group as a member of an object, or nothing if it does not exist.
 */
type WriteLookup = (id: GroupId, json: JsonWriter) => void;

function readWithLookup(context: RequestContext): WriteLookup {
  const lookup = optional(context.body, 'with_lookup');
  if (lookup === undefined) return () => {};
  const params = typeof lookup === 'string' ? { collection: lookup } : readObject(lookup, 'with_lookup');
  const { store } = context.catalog.get(readString(required(params, 'collection'), 'with_lookup.collection'));
  const projection = readProjection(params, true);
  return (id, json) => {
    const pointId = parsePointId(id);
    const offset = pointId === undefined ? undefined : store.offsetOf(pointId);
    if (offset === undefined) return;
    json.text(',"lookup":');
    createPointWriter(store, projection, json).point(offset);
  };
}

/** The routes that list, count, facet and query points. */
export const searchRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: `${collection}/points/scroll`,
    handle: (context) => {
      const target = context.catalog.get(collectionName(context));
      const { body } = context;
      const limit = optional(body, 'limit');
      const offset = optional(body, 'offset');
      const orderBy = optional(body, 'order_by');
      const page = scrollPoints(searchable(context.catalog, target), {
        filter: optionalFilter(body),
        limit: limit === undefined ? 10 : readUnsigned(limit, 'limit', 1),
        offset: offset === undefined ? undefined : readPointId(offset),
        orderBy: orderBy === undefined ? undefined : readOrderBy(orderBy),
      });
      const projection = readProjection(body, true);
      return written((json) => {
        json.text('{"points":');
        json.list(page.hits, createPointWriter(target.store, projection, json).listed);
        json.text(`,"next_page_offset":${JSON.stringify(page.nextOffset ?? null)}}`);
      });
    },
  },
  {
    method: 'POST',
    path: `${collection}/points/count`,
    handle: (context) => {
      const { store } = context.catalog.get(collectionName(context));
      const filter = optionalFilter(context.body);
      return result({ count: filter ? evaluateFilter(store, filter).count() : store.ids.size });
    },
  },
  {
    method: 'POST',
    path: `${collection}/facet`,
    handle: (context) => {
      const target = context.catalog.get(collectionName(context));
      const limit = optional(context.body, 'limit');
      const hits = countFacet(
        searchable(context.catalog, target),
        readPath(required(context.body, 'key'), 'key'),
        optionalFilter(context.body),
        limit === undefined ? 10 : readUnsigned(limit, 'limit', 1),
      );
      return result({ hits });
    },
  },
  {
    method: 'POST',
    path: `${collection}/points/query`,
    handle: (context) => written((json) => writeQuery(context, context.body, json)),
  },
  {
    method: 'POST',
    path: `${collection}/points/query/batch`,
    handle: (context) =>
      written((json) => json.list(readSearches(context.body), (body) => writeQuery(context, body, json))),
  },
  {
    method: 'POST',
    path: `${collection}/points/query/groups`,
    handle: (context) => {
      const target = context.catalog.get(collectionName(context));
      const source = searchable(context.catalog, target);
      const stage = readStage(context.body);
      if (stage.query?.kind === 'orderBy' || stage.query?.kind === 'sample')
        throw badRequest('Grouping needs a query that scores points');
      const projection = readProjection(context.body, false);
      const writeLookup = readWithLookup(context);
      const groups = queryGroups(source, stage, {
        path: readPath(required(context.body, 'group_by'), 'group_by'),
        limit: stage.limit,
        size: readGroupSize(context.body),
        largerBetter: isLargerBetterFor(source, stage),
      });
      return written((json) => {
        const { hit } = createPointWriter(target.store, projection, json);
        json.text('{"groups":');
        json.list(groups, ({ id, hits }) => {
          json.text(`{"id":${JSON.stringify(id)},"hits":`);
          json.list(hits, hit);
          writeLookup(id, json);
          json.text('}');
        });
        json.text('}');
      });
    },
  },
];
