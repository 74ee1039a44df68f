import { asArrayPath, valuesAt } from '../json/path.ts';
import { isJsonObject, type JsonObject } from '../json/types.ts';
import { checkField, checkIsEmpty, checkIsNull } from './check-value.ts';
import type { Condition, Filter } from './types.ts';

/**
 * Checks one condition against a payload. `has_id` and `has_vector` concern the point, not its
 * payload: the caller checks them first. Inside a nested condition they never match, as in Qdrant.
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

/** Checks a filter against a payload. */
function checkPayload(filter: Filter, payload: JsonObject): boolean {
  const holds = (condition: Condition): boolean => checkPayloadCondition(condition, payload);
  if (filter.must && !filter.must.every(holds)) return false;
  if (filter.should && !filter.should.some(holds)) return false;
  if (filter.mustNot?.some(holds)) return false;
  const atLeast = filter.minShould;
  return !atLeast || atLeast.conditions.filter(holds).length >= atLeast.minCount;
}
