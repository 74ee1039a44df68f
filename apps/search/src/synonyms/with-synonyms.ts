import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import { expandQuery, type Span, synonymLanguages } from '@lectern/text';
import type { Context } from '#context';
import type { CallerScope } from '#handlers/caller-scope';
import type { ParsedQuery } from '#query/parse-query';

/**
 * Adds the synonyms of a query's words. A search of several collections uses the synonyms of all of
 * them. Words in quotes are searched as written.
 */
export async function withSynonyms(
  context: Context,
  query: ParsedQuery,
  { team, collections, synonymsVersion }: CallerScope,
  call: ServiceCall,
): Promise<ParsedQuery> {
  if (query.text === '') return query;
  const load = () => context.synonyms.loadSynonyms({}, { metadata: onBehalfOf(call).metadata });
  const { languages, analyzed } = query;
  const inLanguages = synonymLanguages(analyzed, languages);
  const synonyms = await context.teamSynonyms.get(team, synonymsVersion, inLanguages, load);
  const layers = synonyms.layersFor(new Set(collections.map(({ id }) => id)));
  return { ...query, analyzed: expandQuery(analyzed, layers, { languages, verbatim: quotedSpans(query) }) };
}

/** Returns the places of quoted words in the text. */
function quotedSpans({ text, phrases, boosted }: ParsedQuery): readonly Span[] {
  return [...phrases, ...boosted].flatMap((phrase) => {
    const spans: Span[] = [];
    for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + phrase.length)) {
      spans.push({ start: at, end: at + phrase.length });
    }
    return spans;
  });
}
