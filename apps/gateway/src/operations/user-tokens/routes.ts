import { userTokens } from '@lectern/api-spec';
import { parseFilters } from '@lectern/contracts';
import { type Filters, invalidRequest, requireInScope } from '@lectern/service-kit';
import { data } from '#http/api-response';
import { requireRight } from '#keys/rights';
import { createUserToken } from '#keys/user-token-store';
import { requireCollections } from '#operations/api-keys/pairs';
import { route } from '#pipeline/operation';

/** The filters travel in the metadata of every call between services. */
const MAX_FILTER_BYTES = 4_096;

/** Returns filters that every search can apply; undefined for filters without conditions. Throws `invalid_request`. */
function checkedFilters(filters: Filters | undefined): Filters | undefined {
  const { filter, issues } = parseFilters(filters);
  if (issues.length > 0) throw invalidRequest([...issues]);
  if (Buffer.byteLength(JSON.stringify(filters ?? {})) > MAX_FILTER_BYTES) {
    throw invalidRequest([{ path: 'filters', message: `must have at most ${MAX_FILTER_BYTES} bytes as JSON` }]);
  }
  return filter === undefined ? undefined : filters;
}

export const userTokenRoutes = [
  route(userTokens.createUserToken, async (ctx, { body }, call) => {
    const { user, collections, rights, expiresIn } = body;
    for (const right of rights) requireRight(call.key, right);
    for (const id of collections ?? []) requireInScope(call.caller, id);
    await requireCollections(ctx, collections, call, { field: 'collections' });
    const filters = checkedFilters(body.filters);
    const expiresAt = new Date(Date.now() + expiresIn * 1_000);
    const { id, token } = await createUserToken(ctx.db, call.presentedKey, {
      user,
      collections,
      filters,
      rights,
      expiresAt,
    });
    return data({
      id,
      token,
      user,
      collections: collections === undefined ? null : [...new Set(collections)],
      filters: filters ?? null,
      rights,
      expiresAt: expiresAt.toISOString(),
    });
  }),
];
