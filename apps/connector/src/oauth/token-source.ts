import { SourceError, type TokenSource } from '@lectern/connectors';
import { AppError } from '@lectern/service-kit';
import { readTokens, refreshTokens, type TokenDependencies } from './refresh-tokens.ts';
import { isFresh, type Tokens } from './tokens.ts';

/** Waits for shared work as long as this caller may; the work goes on for the others. */
async function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** The settings of this installation are at fault, in the words that sources use. */
function inSourceWords(error: unknown): unknown {
  return error instanceof AppError && error.code === 'unavailable'
    ? new SourceError('invalid', error.message, { cause: error })
    : error;
}

/** The tokens of one authorised connector: read from its row, renewed before they end and when the source rejects one. */
export function createTokenSource(deps: TokenDependencies): TokenSource {
  let held: Tokens | undefined;
  let refreshing: Promise<Tokens> | undefined;

  const refresh = (willDo: (kept: Tokens) => boolean): Promise<Tokens> => {
    refreshing ??= refreshTokens(deps, willDo)
      .then((tokens) => {
        held = tokens;
        return tokens;
      })
      .catch((error: unknown) => {
        held = undefined;
        throw inSourceWords(error);
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  };
  return {
    access: async (signal) => {
      signal.throwIfAborted();
      held ??= await readTokens(deps, deps.db);
      if (isFresh(held)) return held.accessToken;
      return (await waitFor(refresh(isFresh), signal)).accessToken;
    },
    renew: async (rejected, signal) => {
      const isOther = (kept: Tokens) => kept.accessToken !== rejected && isFresh(kept);
      const { accessToken } = await waitFor(refresh(isOther), signal);
      if (accessToken !== rejected) return accessToken;
      // The refresh that was at work had begun before this token was rejected.
      return (await waitFor(refresh(isOther), signal)).accessToken;
    },
  };
}
