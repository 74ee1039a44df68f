import type { GetSearchRuleRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { findSearchRule } from '#search-rules/find-search-rule';
import { toRuleRecord } from '#search-rules/search-rule-record';

/** Returns a rule. */
export const getSearchRule =
  ({ db }: Context) =>
  async ({ id }: GetSearchRuleRequest, { caller }: ServiceCall) =>
    toRuleRecord(await findSearchRule(db, caller, id));
