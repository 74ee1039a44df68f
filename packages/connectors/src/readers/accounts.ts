import { encodeGroupName } from '@lectern/contracts';
import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { Account, UserReader } from '#readers/reader';

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 10_000;

/** Names and emails of accounts, requested in batches and cached for some minutes. */
export interface Accounts {
  find(call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /**
   * `user:<email>`, or `user:<source>:<id>` if the email is hidden; one per user, in their order.
   */
  principalsOf(call: ConnectorCall, users: readonly UserReader[]): Promise<readonly string[]>;
}

export interface AccountsOptions {
  /** The name of the source in principals. */
  readonly source: string;
  /** Returns names and emails by account id, without unknown accounts. */
  readonly load: (call: ConnectorCall, ids: readonly string[]) => Promise<ReadonlyMap<string, Account>>;
  readonly now?: () => number;
}

export function createAccounts({ source, load, now = Date.now }: AccountsOptions): Accounts {
  const cache = createCache<string, Account>({ maxEntries: MAX_CACHED, ttlMs: CACHE_MS, now });

  const find: Accounts['find'] = async (call, ids) => {
    const accounts = new Map<string, Account>();
    for (const id of ids) {
      const cached = cache.get(id);
      if (cached !== undefined) accounts.set(id, cached);
    }
    const missing = [...new Set(ids)].filter((id) => !accounts.has(id));
    if (missing.length > 0) {
      const found = await load(call, missing);
      for (const id of missing) {
        const account = found.get(id) ?? { name: undefined, email: undefined };
        cache.set(id, account);
        accounts.set(id, account);
      }
    }
    return accounts;
  };

  return {
    find,
    principalsOf: async (call, users) => {
      // Some responses include the email of an account and some do not; the principal must be the
      // same.
      const accounts = await find(
        call,
        users.map(({ id }) => id),
      );
      return users.map(({ id, email }) => {
        const shown = accounts.get(id)?.email ?? email;
        return shown ? `user:${shown.toLowerCase()}` : `user:${source}:${encodeGroupName(id)}`;
      });
    },
  };
}
