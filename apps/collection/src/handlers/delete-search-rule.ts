import type { DeleteSearchRuleRequest } from '@lectern/contracts';
import { requireRevision, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { changeSearchRules } from '#search-rules/change-search-rules';
import { findSearchRule } from '#search-rules/find-search-rule';
import { ruleRevision } from '#search-rules/search-rule-record';

/** Deletes a rule. */
export const deleteSearchRule =
  (context: Context) =>
  async ({ id, precondition }: DeleteSearchRuleRequest, { caller }: ServiceCall) => {
    await findSearchRule(context.db, caller, id);
    await changeSearchRules(context, caller.teamId, async (tx) => {
      requireRevision(precondition, ruleRevision(await findSearchRule(tx, caller, id)));
      await tx.searchRule.delete({ where: { id } });
    });
    return { id };
  };
