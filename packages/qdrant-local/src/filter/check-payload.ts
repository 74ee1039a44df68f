import { asArrayPath, valuesAt } from '../json/path.ts';
import { isJsonObject, type JsonObject } from '../json/types.ts';
import { checkField, checkIsEmpty, checkIsNull } from './check-value.ts';
import type { Condition, Filter } from './types.ts';

/**
 * Checks one condition against a payload alone. `has_id` and `has_vector` are questions about a point, not about its
 * payload: they are answered before this is asked, and inside a nested condition they hold for nothing, as in Qdrant.
 */
export function checkPayloadCondition(condition: Condition, payload: JsonObject): boolean {
  switch (condition.kind) {
    case 'field':
      return checkField(condition, valuesAt(condition.path, payload));
    case 'isEmpty':
      return checkIsEmpty(valuesAt(condition.path, payload));
    case 'isNull':
      return checkIsNull(valuesAt(condition.path, payload));
    case 'nested':
      return valuesAt(asArrayPath(condition.path), payload).some(
        (element) => isJsonObject(element) && checkPayload(condition.filter, element),
      );
    case 'filter':
      return checkPayload(condition.filter, payload);
    case 'hasId':
    case 'hasVector':
      return false;
  }
}

/** Checks a whole filter against a payload alone. */
function checkPayload(filter: Filter, payload: JsonObject): boolean {
  const holds = (condition: Condition): boolean => checkPayloadCondition(condition, payload);
  if (filter.must && !filter.must.every(holds)) return false;
  if (filter.should && !filter.should.some(holds)) return false;
  if (filter.mustNot?.some(holds)) return false;
  const atLeast = filter.minShould;
  return !atLeast || atLeast.conditions.filter(holds).length >= atLeast.minCount;
}
