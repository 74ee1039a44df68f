import type { UpdateSynonymPackRequest } from '@lectern/contracts';
import { notFound, requireFullScope, type ServiceCall } from '@lectern/service-kit';
import { synonymPacks } from '@lectern/text';
import type { Context } from '#context';
import { changeSynonyms } from '#synonyms/change-synonyms';
import { toPackSummary } from '#synonyms/pack-record';
import { settingsOf } from '#synonyms/synonym-settings';

/** Switches a pack on or off for the caller's team. */
export const updateSynonymPack = (context: Context) => async (request: UpdateSynonymPackRequest, call: ServiceCall) => {
  const { teamId } = call.caller;
  requireFullScope(call.caller, 'switch synonym packs on or off');
  const pack = synonymPacks().find(({ name }) => name === request.name);
  if (pack === undefined) throw notFound('synonym_pack', request.name);
  return changeSynonyms(context, teamId, async (tx) => {
    const others = (await settingsOf(tx, teamId)).disabledPacks.filter((name) => name !== pack.name);
    const disabledPacks = request.enabled ? others : [...others, pack.name];
    return toPackSummary(pack, await tx.synonymSettings.update({ where: { teamId }, data: { disabledPacks } }));
  });
};
