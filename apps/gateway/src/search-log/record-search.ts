import type { search } from '@lectern/api-spec';
import type { PageInfo, SearchResult } from '@lectern/contracts';
import type { Context } from '#context';
import { clientNetwork } from '#limits/client-ip';
import type { KeyedCall } from '#pipeline/operation';

type Request = Pick<search.SearchBody, 'query' | 'collections'> &
  Partial<Pick<search.SearchBody, 'page' | 'filters' | 'facetFilters' | 'minScore'>>;

/** True if the request asks for fewer documents than the query and the collections match. */
const isNarrowed = ({ filters, facetFilters, minScore = 0 }: Request) =>
  minScore > 0 ||
  Object.keys(filters ?? {}).length > 0 ||
  Object.values(facetFilters ?? {}).some((values) => values.length > 0);

/**
 * Returns what distinguishes people: the end user, or the browser that uses a publishable key.
 * Undefined for a program with a secret key.
 */
function personOf({ caller, client, kind }: KeyedCall): string | undefined {
  if (caller.userEmail !== undefined) return `user ${caller.userEmail}`;
  return kind === 'publishable' ? `browser ${clientNetwork(client.address)} ${client.userAgent ?? ''}` : undefined;
}

/**
 * Records a search for analytics and returns the id that clicks name. Returns null for a list
 * without a query and for all pages but the first, which belong to the same search.
 */
export function recordSearch(
  { searchLog }: Context,
  call: KeyedCall,
  request: Request,
  found: { readonly results: readonly SearchResult[]; readonly page?: PageInfo | undefined },
): string | null {
  const { query, collections, page = 1 } = request;
  if (page > 1) return null;
  const { teamId, scope } = call.caller;
  const limitedTo = collections ?? (scope.kind === 'only' ? scope.ids : undefined);
  return searchLog.search({
    teamId,
    query,
    total: found.page?.total ?? found.results.length,
    narrowed: isNarrowed(request),
    collections: limitedTo ?? [...new Set(found.results.map(({ collectionId }) => collectionId))],
    person: personOf(call),
    isMember: call.key.person !== undefined,
  });
}
