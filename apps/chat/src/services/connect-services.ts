import {
  AgentServiceDefinition,
  CollectionServiceDefinition,
  DocumentServiceDefinition,
  MAX_APPROVAL_WAIT_MS,
  RunServiceDefinition,
  SearchServiceDefinition,
} from '@lectern/contracts';
import { toSourceDocument } from '@lectern/grounding';
import { AppError, type Caller, type CallOrigin, connectGrpc, onBehalfOf } from '@lectern/service-kit';
import { isLanguage, type Language } from '@lectern/text';
import type { Config } from '#config';
import type { ListedDocument } from '#suggestions/suggest-questions';
import type { TurnServices } from '#turn/turn-services';

/** Clients of the other services that call on behalf of a caller. */
export interface Services {
  for(origin: CallOrigin): TurnServices;
  /** Lists the documents that a caller may read, newest first. */
  listLatest(origin: CallOrigin, count: number, signal: AbortSignal): Promise<readonly ListedDocument[]>;
  close(): void;
}

/** The maximum number of documents in one `filterReadable` request. */
const MAX_IDS = 10_000;

const languageOf = ({ language }: Caller): Language | undefined =>
  language !== undefined && isLanguage(language) ? language : undefined;

/** Creates the clients. Makes no calls yet. */
export function connectServices(config: Config): Services {
  const links = {
    search: connectGrpc(config.SEARCH_ADDRESS),
    agent: connectGrpc(config.AGENT_ADDRESS),
    collection: connectGrpc(config.COLLECTION_ADDRESS),
  };
  const search = links.search.client(SearchServiceDefinition);
  const agents = links.agent.client(AgentServiceDefinition, { deadlineMs: 5_000 });
  const runs = links.agent.client(RunServiceDefinition, {
    deadlineMs: config.CHAT_TIMEOUT_MS + MAX_APPROVAL_WAIT_MS + 5_000,
  });
  const collections = links.collection.client(CollectionServiceDefinition, { deadlineMs: 5_000 });
  const documents = links.collection.client(DocumentServiceDefinition, { deadlineMs: 5_000 });
  return {
    for: (origin) => ({
      language: languageOf(origin.caller),
      retrieve: async ({ question, collections, documents: limit, passagesPerDocument }, signal) => {
        const request = {
          query: question,
          literalQuery: true,
          collectionIds: [...collections],
          page: { page: 1, limit },
          maxPassagesPerDocument: passagesPerDocument,
        };
        const { results } = await search.search(request, { ...onBehalfOf(origin), signal });
        return results.map(toSourceDocument);
      },
      readDocument: async (id, signal) => {
        try {
          const { content } = await documents.getDocumentContent({ id }, { ...onBehalfOf(origin), signal });
          return content === '' ? undefined : content;
        } catch (error) {
          if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return undefined;
          throw error;
        }
      },
      readIndexing: async (ids, signal) => {
        const request = { collectionIds: [...ids] };
        const state = await documents.getIndexingState(request, { ...onBehalfOf(origin), signal });
        const { searchable, pendingCount: pending, languages } = state;
        return { searchable, pending, languages: languages.filter(isLanguage) };
      },
      filterReadable: async (ids) => {
        const readable = new Set<string>();
        for (let from = 0; from < ids.length; from += MAX_IDS) {
          const part = { ids: ids.slice(from, from + MAX_IDS) };
          for (const id of (await documents.filterReadable(part, onBehalfOf(origin))).ids) readable.add(id);
        }
        return readable;
      },
      resolveCollections: async (ids) => {
        const resolved = await collections.resolveCollections({ ids: [...ids] }, onBehalfOf(origin));
        return resolved.collections.map(({ id }) => id);
      },
      getAgent: async (id) => {
        const { systemPrompt, collectionIds } = await agents.getAgent({ id }, onBehalfOf(origin));
        return { id, systemPrompt, collections: collectionIds };
      },
      executeAgent: (request, signal) => runs.executeAgent(request, { ...onBehalfOf(origin), signal }),
    }),
    listLatest: async (origin, count, signal) => {
      const request = { search: { query: '', page: { page: 1, limit: count } } };
      const { search: found } = await search.searchFaceted(request, { ...onBehalfOf(origin), signal });
      return found?.results ?? [];
    },
    close: () => {
      for (const link of Object.values(links)) link.close();
    },
  };
}
