import type { Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import { anyPoint } from '#filter/conditions';
import { type PassagePayload, passagePayload, SHOWN_FIELDS } from '#layout/passage';
import type { ScopedFilter } from '#scope/scoped-filter';

/** A passage as it is read for a result. */
export interface ReadPassage {
  readonly id: string;
  readonly score: number;
  readonly payload: PassagePayload;
}

const storedPoints = z.array(z.object({ id: z.string(), score: z.number(), payload: passagePayload }));

/** Returns a search for passages by id, without scoring. */
export function passagesById(scope: ScopedFilter, ids: readonly string[]): Schemas['QueryRequest'] {
  return { filter: scope.and(anyPoint(ids)).toQdrant(), limit: ids.length, with_payload: SHOWN_FIELDS };
}

/** Checks the passages of a response. Passages deleted in the meantime are missing. */
export function readPassages(response: Schemas['QueryResponse'] | undefined): readonly ReadPassage[] {
  return storedPoints.parse(response?.points ?? []);
}
