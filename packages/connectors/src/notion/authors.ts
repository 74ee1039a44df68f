import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { NotionApi } from '#notion/notion-api';
import type { Listed } from '#notion/notion-object';
import { SourceError } from '#source-error';

const MAX_KNOWN = 5_000;

/** Finds the last editor of a page; each user is requested once. */
export type FindAuthor = (call: ConnectorCall, page: Listed) => Promise<string | undefined>;

/** Creates a function that returns user names, or ids if the connection cannot read users. */
export function createAuthors(api: NotionApi): FindAuthor {
  const names = createCache<string, string>({ maxEntries: MAX_KNOWN });
  return async (call, page) => {
    const user = page.last_edited_by ?? undefined;
    if (user === undefined) return undefined;
    if (user.name) return user.name;
    const known = names.get(user.id);
    if (known !== undefined) return known;
    let name = user.id;
    try {
      name = (await api.userName(call, user.id)) ?? user.id;
    } catch (error) {
      if (!(error instanceof SourceError) || error.retryable || error.kind === 'auth') throw error;
    }
    names.set(user.id, name);
    return name;
  };
}
