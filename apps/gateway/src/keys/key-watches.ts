import { type AppError, toAppError } from '@lectern/service-kit';
import type { KeyCache } from '#keys/key-cache';
import type { StoredKey } from '#keys/key-store';
import { type Credential, lostAccess, narrowed } from '#keys/lost-access';

/**
 * Together with the 4 s for which the key cache stores a key, a revocation ends open requests
 * within 5 s, even without an event from NATS.
 */
const CHECK_MS = 500;

/** Watches the key of one request that stays open. */
interface KeyWatch {
  /**
   * Aborted when the key stops working or loses access; the reason is the `AppError` to end the
   * request with.
   */
  readonly signal: AbortSignal;
  /** Rejects with the reason. */
  readonly ended: Promise<never>;
  stop(): void;
}

/** Watches the keys of long requests: streams, and replies of language models. */
export interface KeyWatches {
  watch(credential: Credential): KeyWatch;
  /**
   * Checks a key again, after the body of its request was read. Throws the error that ends the
   * request if the key stopped working or lost access.
   */
  requireAccess(credential: Credential): Promise<void>;
  /** Checks the open requests of a changed pair. */
  recheck(pairId: string): void;
}

/** Checks whether a collection was deleted, which removes it from all scopes. */
export type IsDeleted = (teamId: string, collectionId: string) => Promise<boolean>;

interface Open {
  readonly credential: Credential;
  /** Collections that the key has lost because they were deleted. */
  readonly deleted: Set<string>;
  readonly ending: AbortController;
  isChecking: boolean;
}

/** The collections that a key has lost since the request started. */
function lostBy({ scope }: StoredKey, now: StoredKey): readonly string[] {
  if (scope.kind === 'all' || now.scope.kind === 'all') return [];
  const { ids } = now.scope;
  return scope.ids.filter((id) => !ids.includes(id));
}

async function endOf(
  { credential, deleted }: Pick<Open, 'credential' | 'deleted'>,
  now: StoredKey | undefined,
  isDeleted: IsDeleted,
): Promise<AppError | undefined> {
  const { key } = credential;
  const error = lostAccess(credential, now);
  if (error !== undefined || now === undefined) return error;
  // A deleted collection has no content left to protect, so losing it does not end the request.
  for (const id of lostBy(key, now)) {
    if (deleted.has(id)) continue;
    if (!(await isDeleted(key.teamId, id).catch(() => false))) return narrowed();
    deleted.add(id);
  }
  return undefined;
}

/** Checks the keys of open requests periodically while there are any. */
export function createKeyWatches(keys: KeyCache, isDeleted: IsDeleted): KeyWatches {
  const open = new Set<Open>();
  let timer: NodeJS.Timeout | undefined;

  const check = async (watched: Open) => {
    if (watched.isChecking) return;
    watched.isChecking = true;
    try {
      const end = await endOf(watched, await keys.find(watched.credential.presentedKey), isDeleted);
      if (end !== undefined) watched.ending.abort(end);
    } catch (error) {
      // The database has been unavailable for longer than cached keys stay valid: a new request
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
    watch: (credential) => {
      const watched: Open = {
        credential,
        deleted: new Set(),
        ending: new AbortController(),
        isChecking: false,
      };
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
    requireAccess: async (credential) => {
      const now = await keys.find(credential.presentedKey);
      const end = await endOf({ credential, deleted: new Set() }, now, isDeleted);
      if (end !== undefined) throw end;
    },
    recheck: (pairId) => {
      for (const watched of open) if (watched.credential.key.pairId === pairId) void check(watched);
    },
  };
}
