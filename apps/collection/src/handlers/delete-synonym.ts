import type { DeleteSynonymRequest } from '@lectern/contracts';
import { requireRevision, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { changeSynonyms } from '#synonyms/change-synonyms';
import { findCustomSynonym, findSynonym } from '#synonyms/find-synonym';
import { CUSTOM, ruleOfPack, synonymRevision } from '#synonyms/synonym-record';

/** Deletes a custom synonym. */
export const deleteSynonym = (context: Context) => async (request: DeleteSynonymRequest, call: ServiceCall) => {
  const { caller } = call;
  const known = await findSynonym(context, caller, request.id);
  if (known.source !== CUSTOM) throw ruleOfPack(known.source, 'it cannot be deleted. Set its `enabled` to false');
  await changeSynonyms(context, caller.teamId, async (tx) => {
    const current = await findCustomSynonym(tx, caller, known.id);
    requireRevision(request.precondition, synonymRevision(current));
    await tx.synonym.delete({ where: { id: current.id } });
  });
  return { id: known.id };
};
