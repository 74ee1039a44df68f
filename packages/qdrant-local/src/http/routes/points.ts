import { applyOperation } from '../../collection/apply-operation.ts';
import { createPointWriter } from '../../collection/render-point.ts';
import { notFound } from '../../errors.ts';
import type { JsonObject } from '../../json/types.ts';
import {
  type PointsOperation,
  readDeletePayload,
  readDeleteVectors,
  readOperations,
  readSelector,
  readSetPayload,
  readUpdateVectors,
  readUpsert,
} from '../../parse/points.ts';
import { readPathPointId } from '../../parse/query.ts';
import { readPointIds, required } from '../../parse/reader.ts';
import { readProjection } from '../../parse/selectors.ts';
import { collectionName, param, type Route, result, written } from '../route.ts';
import { updateResult, updateStatus } from '../update-result.ts';

const points = '/collections/{name}/points';

function update(method: Route['method'], path: string, read: (body: JsonObject) => PointsOperation): Route {
  return {
    method,
    path: `${points}${path}`,
    handle: async (context) => {
      const collection = context.catalog.get(collectionName(context));
      return updateResult(context, await applyOperation(collection, read(context.body)));
    },
  };
}

/** The routes that read points by id and change points. */
export const pointRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${points}/{id}`,
    handle: (context) => {
      const { store } = context.catalog.get(collectionName(context));
      const id = readPathPointId(param(context, 'id'));
      const offset = store.offsetOf(id);
      if (offset === undefined) throw notFound(`Point with id ${id} does not exists!`);
      const projection = { payload: { kind: 'all' }, vectors: true } as const;
      return written((json) => createPointWriter(store, projection, json).point(offset));
    },
  },
  {
    method: 'POST',
    path: points,
    handle: (context) => {
      const { store } = context.catalog.get(collectionName(context));
      const projection = readProjection(context.body, true);
      const ids = readPointIds(required(context.body, 'ids'), 'ids');
      const found = ids.flatMap((id) => store.offsetOf(id) ?? []);
      return written((json) => json.list(found, createPointWriter(store, projection, json).point));
    },
  },
  update('PUT', '', readUpsert),
  update('POST', '/delete', (body) => ({ kind: 'delete', selector: readSelector(body) })),
  update('PUT', '/vectors', readUpdateVectors),
  update('POST', '/vectors/delete', readDeleteVectors),
  update('POST', '/payload', (body) => readSetPayload('setPayload', body)),
  update('PUT', '/payload', (body) => readSetPayload('overwritePayload', body)),
  update('POST', '/payload/delete', readDeletePayload),
  update('POST', '/payload/clear', (body) => ({ kind: 'clearPayload', selector: readSelector(body) })),
  {
    method: 'POST',
    path: `${points}/batch`,
    handle: async (context) => {
      const collection = context.catalog.get(collectionName(context));
      const done = [];
      for (const operation of readOperations(context.body))
        done.push(updateStatus(context, await applyOperation(collection, operation)));
      return result(done);
    },
  },
];
