import type { CreateSearchRuleRequest } from '@lectern/contracts';
import { createOnce, type Issue, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import { lockCollection } from '#collections/lock-collection';
import type { Context } from '#context';
import { requireReadableDocuments } from '#documents/require-readable-documents';
import { changeSearchRules, requireUniqueWords } from '#search-rules/change-search-rules';
import { documentsIn, readRule } from '#search-rules/check-search-rule';
import { requireRuleScope } from '#search-rules/find-search-rule';
import { columnsOf, toRuleRecord } from '#search-rules/search-rule-record';

/** Creates a rule of the team or of one collection. */
export const createSearchRule = (context: Context) => async (request: CreateSearchRuleRequest, call: ServiceCall) => {
  const { caller } = call;
  const { teamId } = caller;
  const collectionId = request.collectionId ?? null;
  if (collectionId === null) requireRuleScope(caller, collectionId);
  else await findCollection(context, caller, collectionId);
  const issues: Issue[] = [];
  const rule = readRule(request, issues);
  if (issues.length > 0) throw invalidRequest(issues);
  await requireReadableDocuments(context, caller, documentsIn(request));
  const data = { teamId, collectionId, ...columnsOf(rule) };
  const row = await createOnce({
    kind: 'search_rule',
    id: request.id,
    find: (id) => context.db.searchRule.findUnique({ where: { id, teamId } }),
    create: (id) =>
      changeSearchRules(
        context,
        teamId,
        async (tx) => {
          await requireUniqueWords(tx, { id, ...data });
          return tx.searchRule.create({ data: { id, ...data } });
        },
        collectionId === null ? undefined : (tx) => lockCollection(tx, collectionId),
      ),
  });
  return toRuleRecord(row);
};
