import { QueryClient } from '@tanstack/react-query';

/** Creates the cache of server data. Does not retry, because the SDK does. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: false } } });
}
