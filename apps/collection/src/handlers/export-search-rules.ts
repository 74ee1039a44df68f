import type { ExportSearchRulesRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';
import { requireRuleScope } from '#search-rules/find-search-rule';
import { contentOf, toContentRecord } from '#search-rules/search-rule-record';

/** Returns the rules of the team or of a collection, as an import accepts them. */
export const exportSearchRules =
  (context: Context) =>
  async ({ collectionId }: ExportSearchRulesRequest, { caller }: ServiceCall) => {
    if (collectionId === undefined) requireRuleScope(caller, null);
    else await findCollection(context, caller, collectionId);
    const rows = await context.db.searchRule.findMany({
      where: { teamId: caller.teamId, collectionId: collectionId ?? null },
      orderBy: { id: 'desc' },
    });
    return { rules: rows.map((row) => toContentRecord(contentOf(row))) };
  };
