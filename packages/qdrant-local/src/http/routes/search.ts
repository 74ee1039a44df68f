import { createPointWriter } from '../../collection/render-point.ts';
import { scrollPoints } from '../../collection/scroll.ts';
import { searchable } from '../../collection/searchable.ts';
import { badRequest } from '../../errors.ts';
import { evaluateFilter } from '../../filter/evaluate.ts';
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
import { collectionName, type RequestContext, type Route, result, resultText } from '../route.ts';

const collection = '/collections/{name}';

function runQuery(context: RequestContext, body: JsonObject): string {
  const target = context.catalog.get(collectionName(context));
  const writer = createPointWriter(target.store, readProjection(body, false));
  const hits = executeQuery(searchable(context.catalog, target), readStage(body), readOffset(body));
  return `{"points":[${hits.map(writer.hit)}]}`;
}

function isLargerBetterFor(source: SearchSource, stage: QueryStage): boolean {
  if (stage.query?.kind !== 'nearest') return true;
  const field = source.vectorField(stage.using);
  return field?.kind !== 'dense' || isLargerBetter(field.block.distance);
}

/** The looked-up point of a group as a JSON member, nothing where there is none. */
type LookUp = (id: GroupId) => string;

function readWithLookup(context: RequestContext): LookUp {
  const given = optional(context.body, 'with_lookup');
  if (given === undefined) return () => '';
  const params = typeof given === 'string' ? { collection: given } : readObject(given, 'with_lookup');
  const { store } = context.catalog.get(readString(required(params, 'collection'), 'with_lookup.collection'));
  const writer = createPointWriter(store, readProjection(params, true));
  return (id) => {
    const pointId = parsePointId(id);
    const offset = pointId === undefined ? undefined : store.offsetOf(pointId);
    return offset === undefined ? '' : `,"lookup":${writer.point(offset)}`;
  };
}

/** Listing, counting, faceting and querying. */
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
      const writer = createPointWriter(target.store, readProjection(body, true));
      const next = JSON.stringify(page.nextOffset ?? null);
      return resultText(`{"points":[${page.hits.map(writer.listed)}],"next_page_offset":${next}}`);
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
    handle: (context) => resultText(runQuery(context, context.body)),
  },
  {
    method: 'POST',
    path: `${collection}/points/query/batch`,
    handle: (context) => resultText(`[${readSearches(context.body).map((body) => runQuery(context, body))}]`),
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
      const writer = createPointWriter(target.store, readProjection(context.body, false));
      const lookUp = readWithLookup(context);
      const groups = queryGroups(source, stage, {
        path: readPath(required(context.body, 'group_by'), 'group_by'),
        limit: stage.limit,
        size: readGroupSize(context.body),
        largerBetter: isLargerBetterFor(source, stage),
      });
      const texts = groups.map(
        ({ id, hits }) => `{"id":${JSON.stringify(id)},"hits":[${hits.map(writer.hit)}]${lookUp(id)}}`,
      );
      return resultText(`{"groups":[${texts}]}`);
    },
  },
];
