import { AppError, toAppError } from '@lectern/service-kit';
import type { KeyCache } from '#keys/key-cache';
import type { StoredKey } from '#keys/key-store';
import { refusalOf } from '#keys/refusal-of';

/**
 * The key cache keeps a key for 4 s. Together, a revocation ends open requests within 5 s, even
 * without an event.
 */
const CHECK_MS = 500;

/** Watches the key of one request that stays open. */
export interface KeyWatch {
  /**
   * Aborted when the key stops working or loses access; the reason is the `AppError` to end the
   * request with.
   */
  readonly signal: AbortSignal;
  /** Rejects with the reason. */
  readonly ended: Promise<never>;
  stop(): void;
}

/** Watches the keys of open requests: streams, and replies that clients wait for. */
export interface KeyWatches {
  /** `presented` is the key itself, `key` its access when the request was accepted. */
  watch(presented: string, key: StoredKey): KeyWatch;
  /** Checks the open requests of a changed pair. */
  recheck(pairId: string): void;
}

interface Open {
  readonly presented: string;
  readonly key: StoredKey;
  readonly ending: AbortController;
  isChecking: boolean;
}

/** True if a key may read less than when its request was accepted. */
function isNarrower({ scope, kind, publishableReads }: StoredKey, now: StoredKey): boolean {
  if (kind === 'publishable' && publishableReads === 'all' && now.publishableReads !== 'all') return true;
  if (now.scope.kind === 'all') return false;
  const { ids } = now.scope;
  return scope.kind === 'all' || scope.ids.some((id) => !ids.includes(id));
}

const narrowed = () =>
  new AppError('forbidden', 'The scope of this API key was narrowed while the request was open. Send it again.');

function endOf(key: StoredKey, now: StoredKey | undefined): AppError | undefined {
  const refusal = refusalOf(now);
  if (refusal !== undefined || now === undefined) return refusal;
  return isNarrower(key, now) ? narrowed() : undefined;
}

/**
 * Re-reads the keys of open requests on a timer, as the key cache does for new requests, as long as
 * any are open.
 */
export function createKeyWatches(keys: KeyCache): KeyWatches {
  const open = new Set<Open>();
  let timer: NodeJS.Timeout | undefined;

  const check = async (watched: Open) => {
    if (watched.isChecking) return;
    watched.isChecking = true;
    try {
      const end = endOf(watched.key, await keys.find(watched.presented));
      if (end !== undefined) watched.ending.abort(end);
    } catch (error) {
      // The database has been unavailable for longer than the cache keeps a key: a new request
      // would be rejected too.
      watched.ending.abort(toAppError(error));
    } finally {
      watched.isChecking = false;
    }
  };
  const checkAll = () => {
    for (const watched of open) void check(watched);
  };

  return {
    watch: (presented, key) => {
      const watched: Open = { presented, key, ending: new AbortController(), isChecking: false };
      open.add(watched);
      timer ??= setInterval(checkAll, CHECK_MS).unref();
      const { signal } = watched.ending;
      const ended = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      ended.catch(() => undefined);
      return {
        signal,
        ended,
        stop: () => {
          open.delete(watched);
          if (open.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    recheck: (pairId) => {
      for (const watched of open) if (watched.key.pairId === pairId) void check(watched);
    },
  };
}
