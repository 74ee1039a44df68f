import type { ListSearchRulesRequest } from '@lectern/contracts';
import { literalPattern, pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { rulesInScope } from '#search-rules/find-search-rule';
import { toRuleRecord } from '#search-rules/search-rule-record';

/** Lists rules, newest first. */
export const listSearchRules =
  ({ db }: Context) =>
  async (request: ListSearchRulesRequest, { caller }: ServiceCall) => {
    const page = readPage(request.page);
    const { collectionId, query = '' } = request;
    const text = query.trim();
    const where = {
      AND: [
        rulesInScope(caller),
        collectionId === undefined ? {} : { collectionId },
        text === '' ? {} : { query: { contains: literalPattern(text), mode: 'insensitive' as const } },
      ],
    };
    const [rows, total] = await Promise.all([
      db.searchRule.findMany({ where, orderBy: { id: 'desc' }, skip: page.skip, take: page.take }),
      db.searchRule.count({ where }),
    ]);
    return { rules: rows.map(toRuleRecord), page: pageInfo(page, total) };
  };
