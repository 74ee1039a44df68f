import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import { synonymLanguages } from '@lectern/text';
import type { Context } from '#context';
import type { CallerScope } from '#handlers/caller-scope';
import type { ParsedQuery } from '#query/parse-query';
import { type Curation, curationOf, NO_CURATION } from '#rules/curation';

/** Returns what the team's rules do with a query. Excluded words do not count as its words. */
export async function curationFor(
  context: Context,
  { text, analyzed, languages }: Pick<ParsedQuery, 'text' | 'analyzed' | 'languages'>,
  { team, collections, searchRulesVersion }: CallerScope,
  call: ServiceCall,
): Promise<Curation> {
  if (text === '' || searchRulesVersion === '') return NO_CURATION;
  const load = () => context.searchRules.loadSearchRules({}, { metadata: onBehalfOf(call).metadata });
  const rules = await context.teamRules.get(team, searchRulesVersion, load);
  const searched = new Set(collections.map(({ id }) => id));
  return curationOf(rules.matching(text, synonymLanguages(analyzed, languages), searched));
}
