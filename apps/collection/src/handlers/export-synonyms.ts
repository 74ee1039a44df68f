import type { ExportSynonymsRequest, SynonymRule } from '@lectern/contracts';
import { type Caller, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { formatSolrSynonyms, synonymPacks } from '@lectern/text';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';
import { requireSynonymScope } from '#synonyms/find-synonym';
import { CUSTOM, toPackRecord } from '#synonyms/synonym-record';
import { settingsOf } from '#synonyms/synonym-settings';

/** Returns the custom synonyms of the team or of a collection, or the rules of a pack. */
export const exportSynonyms = (context: Context) => async (request: ExportSynonymsRequest, call: ServiceCall) => {
  const synonyms = await synonymsOf(context, call.caller, request);
  return { synonyms, text: formatSolrSynonyms(synonyms.filter(({ enabled }) => enabled)) };
};

async function synonymsOf(
  context: Context,
  caller: Caller,
  { collectionId, source = CUSTOM }: ExportSynonymsRequest,
): Promise<SynonymRule[]> {
  const { db } = context;
  const { teamId } = caller;
  if (collectionId === undefined) requireSynonymScope(caller, collectionId);
  else await findCollection(context, caller, collectionId);
  if (source === CUSTOM) {
    const rows = await db.synonym.findMany({
      where: { teamId, collectionId: collectionId ?? null },
      orderBy: { id: 'desc' },
    });
    return rows.map(({ input, terms, enabled }) => ({ input, terms, enabled }));
  }
  const pack = synonymPacks().find(({ name }) => name === source);
  if (pack === undefined || collectionId !== undefined) {
    throw invalidRequest([{ path: 'source', message: 'must be custom, or the name of a pack without a collection' }]);
  }
  const settings = await settingsOf(db, teamId);
  return pack.rules.map((rule) => {
    const { input, terms, enabled } = toPackRecord(pack, rule, settings);
    return { input, terms, enabled };
  });
}
