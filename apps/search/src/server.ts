import { SearchServiceDefinition } from '@lectern/contracts';
import { type Running, serve, startGrpcServer } from '@lectern/service-kit';
import type { Config } from '#config';
import { type Context, createContext } from '#context';
import { search } from '#handlers/search';
import { searchDocsSite } from '#handlers/search-docs-site';
import { searchFaceted } from '#handlers/search-faceted';

/** A search body has at most 256 KiB as JSON; the message needs a few more bytes per value. */
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

/** Starts the search service. */
export async function startSearch(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<Running & { readonly port: number }> {
  const context = createContext(config, overrides);
  const server = await startGrpcServer({
    address: config.GRPC_ADDRESS,
    services: [
      serve(SearchServiceDefinition, {
        search: search(context),
        searchFaceted: searchFaceted(context),
        searchDocsSite: searchDocsSite(context),
      }),
    ],
    log: context.log,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    dependencies: { qdrant: (signal) => context.store.ping({ signal }) },
  });
  context.log.info({ port: server.port }, 'search is listening');
  return {
    port: server.port,
    stop: async () => {
      await server.stop();
      context.close();
    },
  };
}
