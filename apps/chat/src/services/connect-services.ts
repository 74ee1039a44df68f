import { AgentServiceDefinition, CollectionServiceDefinition, SearchServiceDefinition } from '@lectern/contracts';
import { type CallOrigin, connectGrpc, onBehalfOf } from '@lectern/service-kit';
import type { Config } from '#config';
import { toSourceDocument } from '#services/to-source-document';
import type { TurnServices } from '#turn/turn-services';

/** The services that a turn asks, and how to ask them on a caller's behalf. */
export interface Services {
  for(origin: CallOrigin): TurnServices;
  close(): void;
}

/** Connects to the services; nothing is called yet. */
export function connectServices(config: Config): Services {
  const links = {
    search: connectGrpc(config.SEARCH_ADDRESS),
    agent: connectGrpc(config.AGENT_ADDRESS),
    collection: connectGrpc(config.COLLECTION_ADDRESS),
  };
  const search = links.search.client(SearchServiceDefinition);
  const agents = links.agent.client(AgentServiceDefinition, { deadlineMs: 5_000 });
  const collections = links.collection.client(CollectionServiceDefinition, { deadlineMs: 5_000 });
  return {
    for: (origin) => ({
      retrieve: async ({ question, collections, documents, passagesPerDocument }, signal) => {
        const request = {
          query: question,
          literalQuery: true,
          collectionIds: [...collections],
          page: { page: 1, limit: documents },
          maxPassagesPerDocument: passagesPerDocument,
        };
        const { results } = await search.search(request, { ...onBehalfOf(origin), signal });
        return results.map(toSourceDocument);
      },
      resolveCollections: async (ids) => {
        const resolved = await collections.resolveCollections({ ids: [...ids] }, onBehalfOf(origin));
        return resolved.collections.map(({ id }) => id);
      },
      getAgent: async (id) => {
        const { systemPrompt, collectionIds } = await agents.getAgent({ id }, onBehalfOf(origin));
        return { id, systemPrompt, collections: collectionIds };
      },
    }),
    close: () => {
      for (const link of Object.values(links)) link.close();
    },
  };
}
