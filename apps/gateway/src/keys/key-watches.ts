import { AppError, toAppError } from '@lectern/service-kit';
import type { KeyCache } from '#keys/key-cache';
import type { StoredKey } from '#keys/key-store';
import { refusalOf } from '#keys/refusal-of';

/** With the 4 s that the key cache remembers a key, a revocation ends what is open within 5 s, also where nobody announces it. */
const CHECK_MS = 500;

/** Watches the key of one request that stays open. */
export interface KeyWatch {
  /** Aborted when the key stops working or may do less than before; the reason is the `AppError` to end with. */
  readonly signal: AbortSignal;
  /** Rejects with the reason. */
  readonly ended: Promise<never>;
  stop(): void;
}

/** The keys of requests that stay open: streams, and replies that are awaited. */
export interface KeyWatches {
  /** `presented` is the key itself, `key` what it was allowed when the request was let in. */
  watch(presented: string, key: StoredKey): KeyWatch;
  /** Checks the requests of a pair that was changed. */
  recheck(pairId: string): void;
}

interface Open {
  readonly presented: string;
  readonly key: StoredKey;
  readonly ending: AbortController;
  isChecking: boolean;
}

/** True where a key may read less than it did when its request was let in. */
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

/** Reads the keys of open requests again and again, as the key cache does for new ones, for as long as any is open. */
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
      // The database has been away for longer than a known key works on: a new request would be refused likewise.
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
