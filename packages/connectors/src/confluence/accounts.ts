import type { Account, ConfluenceApi, Content, UserReader } from '#confluence/confluence-api';
import type { ConnectorCall } from '#connector';

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 50_000;

/** Names and e-mails of accounts, requested in batches and cached for some minutes. */
export interface Accounts {
  /** Returns the names of the authors of these versions, by content id. */
  authorsOf(call: ConnectorCall, contents: readonly Content[]): Promise<ReadonlyMap<string, string>>;
  /**
   * `user:<e-mail>`, or `user:confluence:<id>` if the e-mail is hidden; one per user, in their
   * order.
   */
  principalsOf(call: ConnectorCall, users: readonly UserReader[]): Promise<readonly string[]>;
}

export function createAccounts(api: Pick<ConfluenceApi, 'accounts'>, now: () => number = Date.now): Accounts {
  let cached = new Map<string, Account>();
  let since = now();

  const find = async (call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, Account>> => {
    if (now() - since > CACHE_MS || cached.size > MAX_CACHED) {
      cached = new Map();
      since = now();
    }
    const store = cached;
    const missing = [...new Set(ids)].filter((id) => !store.has(id));
    if (missing.length > 0) {
      const found = await api.accounts(call, missing);
      for (const id of missing) store.set(id, found.get(id) ?? { name: undefined, email: undefined });
    }
    return store;
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
      // Some responses include the e-mail of an account and some do not; the principal must be the
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
