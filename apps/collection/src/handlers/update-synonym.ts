import type { Synonym, UpdateSynonymRequest } from '@lectern/contracts';
import { type Caller, requireRevision, type ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import { lockCollection } from '#collections/lock-collection';
import type { Context } from '#context';
import { changeSynonyms } from '#synonyms/change-synonyms';
import { checkRule } from '#synonyms/check-rule';
import { findCustomSynonym, findSynonym, requireSynonymScope } from '#synonyms/find-synonym';
import { packEntry, ruleOfPack, synonymRevision, toPackRecord, toSynonymRecord } from '#synonyms/synonym-record';
import { settingsOf } from '#synonyms/synonym-settings';

/** Changes a custom synonym, or switches a pack's rule on or off. Omitted fields do not change. */
export const updateSynonym = (context: Context) => async (request: UpdateSynonymRequest, call: ServiceCall) => {
  const { caller } = call;
  const known = await findSynonym(context, caller, request.id);
  if (packEntry(known.id) !== undefined) return updatePackRule(context, caller, known, request);
  if (request.collectionId === '') requireSynonymScope(caller, null);
  else if (request.collectionId !== undefined) await findCollection(context, caller, request.collectionId);
  const row = await changeSynonyms(
    context,
    caller.teamId,
    async (tx) => {
      const current = await findCustomSynonym(tx, caller, known.id);
      requireRevision(request.precondition, synonymRevision(current));
      const collectionId = request.collectionId === undefined ? current.collectionId : request.collectionId || null;
      const rule = checkRule({
        input: request.input?.values ?? current.input,
        terms: request.terms?.values ?? current.terms,
      });
      const enabled = request.enabled ?? current.enabled;
      return tx.synonym.update({ where: { id: current.id }, data: { ...rule, collectionId, enabled } });
    },
    request.collectionId ? (tx) => lockCollection(tx, request.collectionId ?? '') : undefined,
  );
  return toSynonymRecord(row);
};

async function updatePackRule(context: Context, { teamId }: Caller, known: Synonym, request: UpdateSynonymRequest) {
  const { collectionId = '', input, terms, enabled, precondition } = request;
  const isSameRule =
    collectionId === '' &&
    (input === undefined || isEqual(input.values, known.input)) &&
    (terms === undefined || isEqual(terms.values, known.terms));
  if (!isSameRule)
    throw ruleOfPack(known.source, 'only its `enabled` can change. Create a synonym with the other terms');
  return changeSynonyms(context, teamId, async (tx) => {
    const entry = packEntry(known.id);
    const settings = await settingsOf(tx, teamId);
    if (entry === undefined) return known;
    const current = toPackRecord(entry.pack, entry.rule, settings);
    requireRevision(precondition, current.revision);
    if (enabled === undefined || enabled === current.enabled) return current;
    if (enabled && settings.disabledPacks.includes(entry.pack.name)) {
      throw ruleOfPack(known.source, 'it is off as long as the pack is off. Switch the pack on');
    }
    const others = settings.disabledRules.filter((id) => id !== known.id);
    const disabledRules = enabled ? others : [...others, known.id];
    const changed = await tx.synonymSettings.update({ where: { teamId }, data: { disabledRules } });
    return toPackRecord(entry.pack, entry.rule, changed);
  });
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((term, at) => term === b[at]);
