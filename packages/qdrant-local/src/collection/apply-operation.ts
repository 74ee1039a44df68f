import { badInput, notFound } from '../errors.ts';
import { evaluateFilter } from '../filter/evaluate.ts';
import type { Filter } from '../filter/types.ts';
import { removePayloadAt, setPayloadAt } from '../json/path-update.ts';
import type { JsonObject } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import { preprocessDense, type Vector } from '../model/vectors.ts';
import type { InputPoint, PointsOperation, PointsSelector } from '../parse/points.ts';
import type { Collection } from './collection.ts';
import type { PointStore } from './point-store.ts';

function checkVector(store: PointStore, name: string, vector: Vector): Vector {
  const field = store.vectorField(name);
  if (!field) throw badInput(`Not existing vector name error: ${name}`);
  if (vector.kind !== field.kind) throw badInput('Conversion between sparse and regular vectors failed');
  if (vector.kind === 'sparse' || field.kind === 'sparse') return vector;
  const { size, distance } = field.block;
  if (vector.values.length !== size)
    throw badInput(`Vector dimension error: expected dim: ${size}, got ${vector.values.length}`);
  return { kind: 'dense', values: preprocessDense(distance, vector.values) };
}

function checkVectors(store: PointStore, vectors: ReadonlyMap<string, Vector>): Map<string, Vector> {
  return new Map([...vectors].map(([name, vector]) => [name, checkVector(store, name, vector)]));
}

function selectIds(store: PointStore, selector: PointsSelector): readonly PointId[] {
  if (selector.kind === 'ids') return selector.ids;
  return [...evaluateFilter(store, selector.filter).toArray()].map((offset) => store.idAt(offset));
}

function existing(store: PointStore, id: PointId): number {
  const offset = store.offsetOf(id);
  if (offset === undefined) throw notFound(`No point with id ${id} found`);
  return offset;
}

function isMatched(store: PointStore, filter: Filter | undefined): (id: PointId) => boolean {
  if (!filter) return () => true;
  const matched = evaluateFilter(store, filter);
  return (id) => matched.has(store.offsetOf(id) ?? -1);
}

function pointsToPut(store: PointStore, operation: PointsOperation & { kind: 'upsert' }): InputPoint[] {
  const matched = isMatched(store, operation.updateFilter);
  const points = new Map<PointId, InputPoint>();
  for (const point of operation.points) {
    const checked = { ...point, vectors: checkVectors(store, point.vectors) };
    const exists = store.offsetOf(point.id) !== undefined;
    if (exists ? operation.mode === 'insert_only' || !matched(point.id) : operation.mode === 'update_only') continue;
    // If several points have the same id, the last one counts.
    points.delete(point.id);
    points.set(point.id, checked);
  }
  return [...points.values()];
}

function changePayloads(
  collection: Collection,
  selector: PointsSelector,
  change: (payload: JsonObject) => JsonObject,
): Promise<number> {
  const { store } = collection;
  const points = [...new Set(selectIds(store, selector))].map((id) => ({
    id,
    payload: change(store.payloadAt(existing(store, id))),
  }));
  return collection.commit({ kind: 'payload', points });
}

/**
 * Checks and applies an operation. Resolves with its number once it is on disk. An invalid
 * operation changes nothing.
 *
 * @throws QdrantError 400 for vectors that do not match the collection, 404 for a missing point
 */
export async function applyOperation(collection: Collection, operation: PointsOperation): Promise<number> {
  const { store } = collection;
  switch (operation.kind) {
    case 'upsert':
      return collection.commit({ kind: 'put', points: pointsToPut(store, operation) });
    case 'delete': {
      const ids = selectIds(store, operation.selector).filter((id) => store.offsetOf(id) !== undefined);
      // Nothing changes, so there is nothing to wait for.
      if (ids.length === 0) return collection.nextOperation();
      return collection.commit({ kind: 'delete', ids });
    }
    case 'setPayload':
      return changePayloads(collection, operation.selector, (payload) =>
        setPayloadAt(payload, operation.path, operation.payload),
      );
    case 'overwritePayload':
      return changePayloads(collection, operation.selector, (payload) =>
        operation.path ? setPayloadAt(payload, operation.path, operation.payload) : operation.payload,
      );
    case 'deletePayload':
      return changePayloads(collection, operation.selector, (payload) =>
        operation.paths.reduce(removePayloadAt, payload),
      );
    case 'clearPayload':
      return changePayloads(collection, operation.selector, () => ({}));
    case 'updateVectors': {
      const matched = isMatched(store, operation.updateFilter);
      const points = operation.points
        .map(({ id, vectors }) => {
          existing(store, id);
          return { id, vectors: checkVectors(store, vectors) };
        })
        .filter(({ id }) => matched(id));
      return collection.commit({ kind: 'vectors', points });
    }
    case 'deleteVectors': {
      for (const name of operation.names)
        if (!store.vectorField(name)) throw badInput(`Not existing vector name error: ${name}`);
      const ids = selectIds(store, operation.selector).filter((id) => store.offsetOf(id) !== undefined);
      return collection.commit({ kind: 'dropVectors', ids, names: operation.names });
    }
  }
}
