import { synonyms } from '@lectern/api-spec';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { data, page, recordData } from '#http/api-response';
import { orEmpty } from '#operations/convert';
import { synonymPack, synonymRecord } from '#operations/synonyms/mapping';
import { route } from '#pipeline/operation';

export const synonymRoutes = [
  route(synonyms.listSynonyms, async (ctx, { query: { collection, source, query, ...paging } }, call) => {
    const request = { page: paging, collectionId: collection, source, query };
    const response = await ctx.clients.synonyms.listSynonyms(request, onBehalfOf(call));
    return page(response.synonyms.map(synonymRecord), response.page);
  }),

  route(synonyms.createSynonym, async (ctx, { body: { collection, ...body } }, call) => {
    const request = { ...body, collectionId: collection ?? undefined, id: idOf('synonym', call.seed) };
    const synonym = await ctx.clients.synonyms.createSynonym(request, onBehalfOf(call));
    return recordData(synonymRecord(synonym), synonym.revision);
  }),

  route(synonyms.importSynonyms, async (ctx, { body: { collection, text, synonyms: rules, replace } }, call) => {
    const request = { collectionId: collection ?? undefined, text, synonyms: rules ?? [], replace };
    const { created, unchanged, deleted } = await ctx.clients.synonyms.importSynonyms(request, onBehalfOf(call));
    return data({ created, unchanged, deleted });
  }),

  route(synonyms.exportSynonyms, async (ctx, { query: { format, collection, source } }, call) => {
    const request = { collectionId: collection, source };
    const { text, synonyms: rules } = await ctx.clients.synonyms.exportSynonyms(request, onBehalfOf(call));
    if (format === 'solr') return data({ format, count: rules.filter(({ enabled }) => enabled).length, text });
    const exported = rules.map(({ terms, input, enabled }) => ({ terms, input, enabled: enabled ?? true }));
    return data({ format, count: exported.length, synonyms: exported });
  }),

  route(synonyms.listSynonymPacks, async (ctx, _input, call) => {
    const { packs } = await ctx.clients.synonyms.listSynonymPacks({}, onBehalfOf(call));
    return data(packs.map(synonymPack));
  }),

  route(synonyms.updateSynonymPack, async (ctx, { params, body }, call) =>
    data(synonymPack(await ctx.clients.synonyms.updateSynonymPack({ ...params, ...body }, onBehalfOf(call)))),
  ),

  route(synonyms.getSynonym, async (ctx, { params }, call) => {
    const synonym = await ctx.clients.synonyms.getSynonym(params, onBehalfOf(call));
    return recordData(synonymRecord(synonym), synonym.revision);
  }),

  route(
    synonyms.updateSynonym,
    async (ctx, { params, body: { collection, terms, input, enabled } }, call) => {
      const request = {
        ...params,
        collectionId: orEmpty(collection),
        terms: terms && { values: terms },
        input: input && { values: input },
        enabled,
        precondition: call.ifMatch,
      };
      const synonym = await ctx.clients.synonyms.updateSynonym(request, onBehalfOf(call));
      return recordData(synonymRecord(synonym), synonym.revision);
    },
    {
      current: async (ctx, params, call) => {
        const synonym = await ctx.clients.synonyms.getSynonym(params, onBehalfOf(call));
        return { record: synonymRecord(synonym), revision: synonym.revision };
      },
    },
  ),

  route(synonyms.deleteSynonym, async (ctx, { params }, call) => {
    const request = { ...params, precondition: call.ifMatch };
    const { id } = await ctx.clients.synonyms.deleteSynonym(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),
];
