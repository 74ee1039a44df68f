import type { LoadSearchRulesRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toRuleRecord } from '#search-rules/search-rule-record';

/**
 * Returns the rules that the searches of the caller's team use. It covers all collections, because
 * the search service caches it for all callers of the team and applies only what belongs to their
 * scope.
 */
export const loadSearchRules =
  ({ db }: Context) =>
  async (_request: LoadSearchRulesRequest, { caller: { teamId } }: ServiceCall) => {
    const [version, rows] = await db.$transaction(
      async (tx) =>
        [
          await tx.searchRuleVersion.findUnique({ where: { teamId } }),
          await tx.searchRule.findMany({ where: { teamId, enabled: true }, orderBy: { id: 'desc' } }),
        ] as const,
      // The version must belong to the rows.
      { isolationLevel: 'RepeatableRead' },
    );
    return { version: version?.version ?? '', rules: rows.map(toRuleRecord) };
  };
