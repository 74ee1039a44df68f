import { QueryClient } from '@tanstack/react-query';

/** The cache of server data. The SDK does the retries. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: false } } });
}
