import { searchRules } from '@lectern/api-spec';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { data, page, recordData } from '#http/api-response';
import { orEmpty } from '#operations/convert';
import { ruleContent, searchRuleRecord, toMatch } from '#operations/search-rules/mapping';
import { route } from '#pipeline/operation';

export const searchRuleRoutes = [
  route(searchRules.listSearchRules, async (ctx, { query: { collection, query, ...paging } }, call) => {
    const request = { page: paging, collectionId: collection, query };
    const response = await ctx.clients.searchRules.listSearchRules(request, onBehalfOf(call));
    return page(response.rules.map(searchRuleRecord), response.page);
  }),

  route(searchRules.createSearchRule, async (ctx, { body: { collection, match, hides, ...body } }, call) => {
    const rule = await ctx.clients.searchRules.createSearchRule(
      {
        ...body,
        match: toMatch(match),
        hiddenDocumentIds: hides,
        collectionId: collection ?? undefined,
        id: idOf('search_rule', call.seed),
      },
      onBehalfOf(call),
    );
    return recordData(searchRuleRecord(rule), rule.revision);
  }),

  route(searchRules.importSearchRules, async (ctx, { body: { collection, rules, replace } }, call) => {
    const request = {
      collectionId: collection ?? undefined,
      rules: rules.map(({ match, hides, ...rule }) => ({ ...rule, match: toMatch(match), hiddenDocumentIds: hides })),
      replace,
    };
    const { created, updated, unchanged, deleted } = await ctx.clients.searchRules.importSearchRules(
      request,
      onBehalfOf(call),
    );
    return data({ created, updated, unchanged, deleted });
  }),

  route(searchRules.exportSearchRules, async (ctx, { query: { collection } }, call) => {
    const { rules } = await ctx.clients.searchRules.exportSearchRules({ collectionId: collection }, onBehalfOf(call));
    return data({ rules: rules.map(ruleContent) });
  }),

  route(searchRules.getSearchRule, async (ctx, { params }, call) => {
    const rule = await ctx.clients.searchRules.getSearchRule(params, onBehalfOf(call));
    return recordData(searchRuleRecord(rule), rule.revision);
  }),

  route(
    searchRules.updateSearchRule,
    async (ctx, { params, body: { collection, match, pins, hides, query, enabled } }, call) => {
      const request = {
        ...params,
        query,
        enabled,
        match: match && toMatch(match),
        pins: pins && { values: pins },
        hiddenDocuments: hides && { ids: hides },
        collectionId: orEmpty(collection),
        precondition: call.ifMatch,
      };
      const rule = await ctx.clients.searchRules.updateSearchRule(request, onBehalfOf(call));
      return recordData(searchRuleRecord(rule), rule.revision);
    },
    {
      current: async (ctx, params, call) => {
        const rule = await ctx.clients.searchRules.getSearchRule(params, onBehalfOf(call));
        return { record: searchRuleRecord(rule), revision: rule.revision };
      },
    },
  ),

  route(searchRules.deleteSearchRule, async (ctx, { params }, call) => {
    const request = { ...params, precondition: call.ifMatch };
    const { id } = await ctx.clients.searchRules.deleteSearchRule(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),
];
