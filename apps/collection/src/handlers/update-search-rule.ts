import type { UpdateSearchRuleRequest } from '@lectern/contracts';
import { type Issue, invalidRequest, requireRevision, type ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import { lockCollection } from '#collections/lock-collection';
import type { Context } from '#context';
import { requireReadableDocuments } from '#documents/require-readable-documents';
import { changeSearchRules, requireUniqueWords } from '#search-rules/change-search-rules';
import { documentsIn, readRule } from '#search-rules/check-search-rule';
import { findSearchRule, requireRuleScope } from '#search-rules/find-search-rule';
import { columnsOf, contentOf, ruleRevision, toContentRecord, toRuleRecord } from '#search-rules/search-rule-record';

/** Changes a rule. Omitted fields do not change. */
export const updateSearchRule = (context: Context) => async (request: UpdateSearchRuleRequest, call: ServiceCall) => {
  const { caller } = call;
  const { id, collectionId: wanted } = request;
  const known = await findSearchRule(context.db, caller, id);
  if (wanted === '') requireRuleScope(caller, null);
  else if (wanted !== undefined) await findCollection(context, caller, wanted);
  // Documents that the rule names already may have been deleted since.
  const before = new Set(documentsIn(toContentRecord(contentOf(known))).map(([, document]) => document));
  const named = documentsIn({
    pins: request.pins?.values ?? [],
    hiddenDocumentIds: request.hiddenDocuments?.ids ?? [],
  });
  await requireReadableDocuments(
    context,
    caller,
    named.filter(([, document]) => !before.has(document)),
  );
  const { teamId } = caller;
  const row = await changeSearchRules(
    context,
    teamId,
    async (tx) => {
      const current = await findSearchRule(tx, caller, id);
      requireRevision(request.precondition, ruleRevision(current));
      const content = toContentRecord(contentOf(current));
      const issues: Issue[] = [];
      const rule = readRule(
        {
          query: request.query ?? content.query,
          match: request.match ?? content.match,
          pins: request.pins?.values ?? content.pins,
          hiddenDocumentIds: request.hiddenDocuments?.ids ?? content.hiddenDocumentIds,
          enabled: request.enabled ?? content.enabled,
        },
        issues,
      );
      if (issues.length > 0) throw invalidRequest(issues);
      const collectionId = wanted === undefined ? current.collectionId : wanted || null;
      await requireUniqueWords(tx, { id, teamId, collectionId, ...rule });
      return tx.searchRule.update({ where: { id }, data: { ...columnsOf(rule), collectionId } });
    },
    wanted ? (tx) => lockCollection(tx, wanted) : undefined,
  );
  return toRuleRecord(row);
};
