import { SourceError, type TokenSource } from '@lectern/connectors';
import { orAborted } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import { readTokens, refreshTokens, type TokenDependencies } from '#oauth/refresh-tokens';
import { isFresh, type Tokens } from '#oauth/tokens';

/** Converts errors: a missing OAuth application is an error of the source's settings. */
function toSourceError(error: unknown): unknown {
  return error instanceof AppError && error.code === 'unavailable'
    ? new SourceError('invalid', error.message, { cause: error })
    : error;
}

/**
 * Creates the token source of an authorized connector. It reads tokens from the connector's row,
 * and renews them before they expire and when the source rejects one.
 */
export function createTokenSource(deps: TokenDependencies): TokenSource {
  let cached: Tokens | undefined;
  let refreshing: Promise<Tokens> | undefined;

  const refresh = (isUsable: (stored: Tokens) => boolean): Promise<Tokens> => {
    refreshing ??= refreshTokens(deps, isUsable)
      .then((tokens) => {
        cached = tokens;
        return tokens;
      })
      .catch((error: unknown) => {
        cached = undefined;
        throw toSourceError(error);
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  };
  return {
    access: async (signal) => {
      signal.throwIfAborted();
      cached ??= await readTokens(deps, deps.db);
      if (isFresh(cached)) return cached.accessToken;
      return (await orAborted(refresh(isFresh), signal)).accessToken;
    },
    renew: async (rejected, signal) => {
      const isOther = (stored: Tokens) => stored.accessToken !== rejected && isFresh(stored);
      const { accessToken } = await orAborted(refresh(isOther), signal);
      if (accessToken !== rejected) return accessToken;
      // A refresh was already running before this token was rejected.
      return (await orAborted(refresh(isOther), signal)).accessToken;
    },
  };
}
