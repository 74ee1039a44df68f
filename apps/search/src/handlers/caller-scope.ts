import type { ResolveCollectionsResponse } from '@lectern/contracts';
import { onBehalfOf, requiredFilter, type ServiceCall } from '@lectern/service-kit';
import { isLanguage, type Language } from '@lectern/text';
import type { Context } from '#context';
import type { LearnedSpaces } from '#search/learned-leg';
import { loadSpace } from '#search/load-space';
import type { SearchableCollection } from '#search/search-query';

/** The collections, spaces, principals and required filter that a call searches with. */
export type CallerScope = ReturnType<typeof scopeOf>;

/**
 * Runs a search within the caller's scope. Collections are resolved for each request, so that a
 * deletion or a changed scope takes effect immediately; concurrent requests of one caller for the
 * same collections share one call that starts after all of them. Meanwhile the search runs with the
 * last known scope; its result is used only if the scope is unchanged.
 */
export async function withinScope<Result>(
  context: Context,
  collectionIds: readonly string[],
  call: ServiceCall,
  search: (scope: CallerScope) => Promise<Result>,
): Promise<Result> {
  const ids = [...new Set(collectionIds)];
  const { metadata } = onBehalfOf(call);
  const key = JSON.stringify([call.caller, ids]);
  const resolve = () => context.shareResolved(key, () => context.collections.resolveCollections({ ids }, { metadata }));
  const work = (resolved: ResolveCollectionsResponse) => {
    call.signal.throwIfAborted();
    return search(scopeOf(context, resolved, call));
  };
  // A reranker can be a service outside the installation: it receives no passages before the scope
  // is known.
  if (context.reranker) return work(await resolve());
  return context.searchAhead(key, resolve, work);
}

function scopeOf(
  context: Context,
  { collections, spaces, principals, synonymsVersion, searchRulesVersion }: ResolveCollectionsResponse,
  call: ServiceCall,
) {
  const spacesByModel = new Map(spaces.map(({ embeddingModel, ids }) => [embeddingModel, ids]));
  const learned: LearnedSpaces = {
    idsOf: (model) => spacesByModel.get(model),
    encoder: (id) => context.spaces.get(id, () => loadSpace(context, id, call)),
  };
  const searchable = collections.map(({ languages, ...collection }): SearchableCollection => {
    return { ...collection, languages: languages?.codes.filter(isLanguage) };
  });
  return {
    team: call.caller.teamId,
    collections: searchable,
    spaces: learned,
    principals: principals?.values,
    required: requiredFilter(call.caller),
    synonymsVersion,
    searchRulesVersion,
  };
}

/** Returns the languages of all collections in a scope; undefined if those of one are not known. */
export function languagesOf(collections: readonly SearchableCollection[]): readonly Language[] | undefined {
  const languages = new Set<Language>();
  for (const collection of collections) {
    if (collection.languages === undefined) return undefined;
    for (const language of collection.languages) languages.add(language);
  }
  return [...languages];
}
