import { QueryClient } from '@tanstack/react-query';

/** The cache of what the server knows. What may be tried again, the SDK tries again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: false } } });
}
