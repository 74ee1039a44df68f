import type { ListSynonymPacksRequest } from '@lectern/contracts';
import { requireFullScope, type ServiceCall } from '@lectern/service-kit';
import { synonymPacks } from '@lectern/text';
import type { Context } from '#context';
import { toPackSummary } from '#synonyms/pack-record';
import { settingsOf } from '#synonyms/synonym-settings';

/** Lists the packs that ship with Lectern. */
export const listSynonymPacks = (context: Context) => async (_request: ListSynonymPacksRequest, call: ServiceCall) => {
  requireFullScope(call.caller, 'list synonym packs');
  const settings = await settingsOf(context.db, call.caller.teamId);
  return { packs: synonymPacks().map((pack) => toPackSummary(pack, settings)) };
};
