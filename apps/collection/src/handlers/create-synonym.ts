import type { CreateSynonymRequest } from '@lectern/contracts';
import { createOnce, type ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import { lockCollection } from '#collections/lock-collection';
import type { Context } from '#context';
import { changeSynonyms } from '#synonyms/change-synonyms';
import { checkRule } from '#synonyms/check-rule';
import { requireSynonymScope } from '#synonyms/find-synonym';
import { toSynonymRecord } from '#synonyms/synonym-record';

/** Creates a custom synonym of the team or of one collection. */
export const createSynonym = (context: Context) => async (request: CreateSynonymRequest, call: ServiceCall) => {
  const { caller } = call;
  const { teamId } = caller;
  const collectionId = request.collectionId ?? null;
  if (collectionId === null) requireSynonymScope(caller, collectionId);
  else await findCollection(context, caller, collectionId);
  const data = { teamId, collectionId, ...checkRule(request), enabled: request.enabled ?? true };
  const row = await createOnce({
    kind: 'synonym',
    id: request.id,
    find: (id) => context.db.synonym.findUnique({ where: { id, teamId } }),
    create: (id) =>
      changeSynonyms(
        context,
        teamId,
        (tx) => tx.synonym.create({ data: { id, ...data } }),
        collectionId === null ? undefined : (tx) => lockCollection(tx, collectionId),
      ),
  });
  return toSynonymRecord(row);
};
