import { createCache } from '@lectern/resilience';
import type { Account, ConfluenceApi, Content, UserReader } from '#confluence/confluence-api';
import type { ConnectorCall } from '#connector';

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 10_000;

/** Names and emails of accounts, requested in batches and cached for some minutes. */
export interface Accounts {
  /** Returns the names of the authors of these versions, by content id. */
  authorsOf(call: ConnectorCall, contents: readonly Content[]): Promise<ReadonlyMap<string, string>>;
  /**
   * `user:<email>`, or `user:confluence:<id>` if the email is hidden; one per user, in their
   * order.
   */
  principalsOf(call: ConnectorCall, users: readonly UserReader[]): Promise<readonly string[]>;
}

export function createAccounts(api: Pick<ConfluenceApi, 'accounts'>, now: () => number = Date.now): Accounts {
  const cache = createCache<string, Account>({ maxEntries: MAX_CACHED, ttlMs: CACHE_MS, now });

  const find = async (call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, Account>> => {
    const accounts = new Map<string, Account>();
    for (const id of ids) {
      const cached = cache.get(id);
      if (cached !== undefined) accounts.set(id, cached);
    }
    const missing = [...new Set(ids)].filter((id) => !accounts.has(id));
    if (missing.length > 0) {
      const found = await api.accounts(call, missing);
      for (const id of missing) {
        const account = found.get(id) ?? { name: undefined, email: undefined };
        cache.set(id, account);
        accounts.set(id, account);
      }
    }
    return accounts;
  };

  return {
    authorsOf: async (call, contents) => {
      const unnamed = contents.flatMap(({ author }) => (author.name === undefined ? (author.id ?? []) : []));
      const accounts = unnamed.length === 0 ? new Map<string, Account>() : await find(call, unnamed);
      const names = new Map<string, string>();
      for (const { id, author } of contents) {
        const name = author.name ?? (author.id === undefined ? undefined : accounts.get(author.id)?.name);
        if (name !== undefined) names.set(id, name);
      }
      return names;
    },
    principalsOf: async (call, users) => {
      // Some responses include the email of an account and some do not; the principal must be the
      // same.
      const accounts = await find(
        call,
        users.map(({ id }) => id),
      );
      return users.map(({ id, email }) => {
        const shown = accounts.get(id)?.email ?? email;
        return shown ? `user:${shown.toLowerCase()}` : `user:confluence:${id}`;
      });
    },
  };
}
