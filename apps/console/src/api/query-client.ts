import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '#api/api-error.ts';

const MAX_RETRIES = 2;
const MAX_WAIT_MS = 15_000;

/** A client that tries again only what may succeed, and as late as the API asks for. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < MAX_RETRIES && error instanceof ApiError && error.isRetryable,
        retryDelay: (count, error) =>
          error instanceof ApiError && error.retryAfter !== undefined
            ? Math.min(error.retryAfter * 1_000, MAX_WAIT_MS)
            : 500 * 2 ** count,
      },
    },
  });
}
