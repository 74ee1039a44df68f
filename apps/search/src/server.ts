import { SearchServiceDefinition } from '@lectern/contracts';
import { type RunningService, serve, startGrpcService } from '@lectern/service-kit';
import type { Config } from '#config';
import { type Context, createContext } from '#context';
import { embed, listEmbeddingModels } from '#handlers/embed';
import { search } from '#handlers/search';
import { searchDocsSite } from '#handlers/search-docs-site';
import { searchFaceted } from '#handlers/search-faceted';
import { suggestQueries } from '#handlers/suggest-queries';
import { preparePacks } from '#synonyms/team-synonyms';

/** Texts to embed have at most 4 MiB as JSON; the message needs a few more bytes per value. */
const MAX_MESSAGE_BYTES = 5 * 1024 * 1024;

/** Starts the search service. */
export async function startSearch(config: Config, overrides: Partial<Context> = {}): Promise<RunningService> {
  const context = createContext(config, overrides);
  const service = await startGrpcService({
    name: 'search',
    config,
    log: context.log,
    services: [
      serve(SearchServiceDefinition, {
        search: search(context),
        searchFaceted: searchFaceted(context),
        searchDocsSite: searchDocsSite(context),
        suggestQueries: suggestQueries(context),
        embed: embed(context),
        listEmbeddingModels: listEmbeddingModels(context),
      }),
    ],
    maxMessageBytes: MAX_MESSAGE_BYTES,
    dependencies: { qdrant: (signal) => context.store.ping({ signal }) },
    close: () => context.close(),
  });
  preparePacks().catch((err: unknown) => context.log.error({ err }, 'could not prepare the packs of synonyms'));
  return service;
}
