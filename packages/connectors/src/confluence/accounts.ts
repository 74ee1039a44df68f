import type { ConnectorCall } from '../connector.ts';
import type { Account, ConfluenceApi, Content, UserReader } from './confluence-api.ts';

const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 50_000;

/** Names and e-mails of accounts, asked for in batches and kept for some minutes. */
export interface Accounts {
  /** The names of who made these versions, by content id. */
  authorsOf(call: ConnectorCall, contents: readonly Content[]): Promise<ReadonlyMap<string, string>>;
  /** `user:<e-mail>`, or `user:confluence:<id>` where no e-mail is shown; one for each user, in their order. */
  principalsOf(call: ConnectorCall, users: readonly UserReader[]): Promise<readonly string[]>;
}

export function createAccounts(api: Pick<ConfluenceApi, 'accounts'>, now: () => number = Date.now): Accounts {
  let kept = new Map<string, Account>();
  let since = now();

  const find = async (call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, Account>> => {
    if (now() - since > KEPT_MS || kept.size > MOST_KEPT) {
      kept = new Map();
      since = now();
    }
    const store = kept;
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
      // The same account may be named with its e-mail here and without there: it must come out the same.
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
