import type { ListSynonymsRequest, Synonym } from '@lectern/contracts';
import { type Caller, pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { synonymPacks } from '@lectern/text';
import type { Context } from '#context';
import { synonymsInScope } from '#synonyms/find-synonym';
import { CUSTOM, toPackRecord, toSynonymRecord } from '#synonyms/synonym-record';
import { settingsOf } from '#synonyms/synonym-settings';

/** Lists synonyms: custom ones, newest first, then the rules of packs. */
export const listSynonyms = (context: Context) => async (request: ListSynonymsRequest, call: ServiceCall) => {
  const page = readPage(request.page);
  // All of them are read, because a team has at most 5,000 and the text can be in any term.
  const candidates = [
    ...(await customSynonyms(context, call.caller, request)),
    ...(await rulesOfPacks(context, call.caller, request)),
  ];
  const query = request.query?.trim().toLowerCase() ?? '';
  const found = query === '' ? candidates : candidates.filter((synonym) => hasTermWith(synonym, query));
  return { synonyms: found.slice(page.skip, page.skip + page.take), page: pageInfo(page, found.length) };
};

const hasTermWith = ({ input, terms }: Synonym, text: string): boolean =>
  [...input, ...terms].some((term) => term.toLowerCase().includes(text));

async function customSynonyms(
  { db }: Context,
  caller: Caller,
  { source = CUSTOM, collectionId }: ListSynonymsRequest,
): Promise<Synonym[]> {
  if (source !== CUSTOM) return [];
  const where = { AND: [synonymsInScope(caller), collectionId === undefined ? {} : { collectionId }] };
  return (await db.synonym.findMany({ where, orderBy: { id: 'desc' } })).map(toSynonymRecord);
}

async function rulesOfPacks(
  { db }: Context,
  { teamId, scope }: Caller,
  { source, collectionId }: ListSynonymsRequest,
): Promise<Synonym[]> {
  if (collectionId !== undefined || scope.kind !== 'all') return [];
  const packs = synonymPacks().filter(({ name }) => source === undefined || source === name);
  if (packs.length === 0) return [];
  const settings = await settingsOf(db, teamId);
  return packs.flatMap((pack) => pack.rules.map((rule) => toPackRecord(pack, rule, settings)));
}
