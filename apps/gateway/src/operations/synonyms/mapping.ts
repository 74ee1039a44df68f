import type { Synonym, SynonymPack } from '@lectern/contracts';
import { time } from '#operations/convert';

/** A custom synonym or one of a pack. */
export function synonymRecord({ id, terms, input, collectionId, enabled, source, createdAt, updatedAt }: Synonym) {
  return {
    id,
    terms,
    input,
    collection: collectionId ?? null,
    enabled,
    source,
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
  };
}

export function synonymPack({ name, language, enabled, ruleCount, disabledRuleCount }: SynonymPack) {
  return { name, language, enabled, synonymCount: ruleCount, disabledCount: disabledRuleCount };
}
