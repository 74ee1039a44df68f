import { z } from 'zod';
import { AccountV2 } from '#confluence/cloud-content';
import type { ConfluenceApi } from '#confluence/confluence-api';
import { type ConfluenceHttp, Id } from '#confluence/confluence-http';
import { GroupV1, UserV1, userReader } from '#confluence/content-v1';
import { readRestriction } from '#confluence/restrictions-v1';
import type { ConnectorCall } from '#connector';
import type { Account, Reader } from '#readers/reader';
import { SourceError } from '#source-error';

const PermissionV2 = z.object({
  principal: z.object({ type: z.string(), id: z.string() }),
  operation: z.object({ key: z.string(), targetType: z.string() }),
});

/**
 * Accounts per request. https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-user/
 */
const ACCOUNTS_PER_REQUEST = 200;

/** Roles and access classes have no list of members, so access through them alone is ignored. */
function readerOf({ principal }: z.infer<typeof PermissionV2>): readonly Reader[] {
  const type = principal.type.toLowerCase();
  if (type === 'user') return [{ kind: 'user', id: principal.id }];
  if (type === 'group') return [{ kind: 'group', id: principal.id }];
  return type === 'anonymous' || principal.id === 'anonymous-users' ? [{ kind: 'everyone' }] : [];
}

const unsupported = (error: unknown): boolean =>
  error instanceof SourceError && ['gone', 'forbidden', 'invalid'].includes(error.kind);

async function accountOf(http: ConfluenceHttp, call: ConnectorCall, id: string): Promise<Account | undefined> {
  try {
    const path = `/rest/api/user?accountId=${encodeURIComponent(id)}`;
    const user = await http.get(call, path, UserV1, 'an account');
    return { name: user.displayName ?? undefined, email: user.email || undefined };
  } catch (error) {
    if (unsupported(error)) return undefined;
    throw error;
  }
}

async function accountsOf(http: ConfluenceHttp, call: ConnectorCall, ids: readonly string[]) {
  const found = new Map<string, Account>();
  const schema = z.object({ results: z.array(AccountV2) });
  for (let at = 0; at < ids.length; at += ACCOUNTS_PER_REQUEST) {
    const accountIds = ids.slice(at, at + ACCOUNTS_PER_REQUEST);
    try {
      const { results } = await http.post(call, '/api/v2/users-bulk', { accountIds }, schema, 'accounts');
      for (const { accountId, displayName, publicName, email } of results) {
        found.set(accountId, { name: displayName || publicName || undefined, email: email || undefined });
      }
    } catch (error) {
      if (!unsupported(error)) throw error;
      for (const id of accountIds) {
        const account = await accountOf(http, call, id);
        if (account !== undefined) found.set(id, account);
      }
    }
  }
  return found;
}

const Parent = z.object({ parentId: Id.nullish() });
const DEEPEST = 100;

async function ancestorsOf(http: ConfluenceHttp, call: ConnectorCall, pageId: string): Promise<readonly string[]> {
  const what = `the ancestors of page ${pageId}`;
  const ids: string[] = [];
  try {
    const path = `/api/v2/pages/${pageId}/ancestors`;
    for await (const { id } of http.all(call, path, z.object({ id: Id }), what)) ids.push(id);
    return ids;
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind !== 'gone') throw error;
  }
  // From page to page. If this fails before the top, the error is thrown, and no one can read the
  // page.
  for (let at: string | null | undefined = pageId; at; ) {
    const { parentId }: z.infer<typeof Parent> = await http.get(call, `/api/v2/pages/${at}`, Parent, what);
    if (parentId) ids.unshift(parentId);
    if (ids.length > DEEPEST)
      throw new SourceError(
        'invalid',
        `Page ${pageId} is nested more than ${DEEPEST} pages deep. Move it to a higher level in Confluence.`,
      );
    at = parentId;
  }
  return ids;
}

/** Skips an unreadable user or group, which then has no access. */
const ignore = () => undefined;

/** Reads permissions on Cloud. Restrictions, groups and members exist only in API version 1. */
export function cloudReaders(
  http: ConfluenceHttp,
): Pick<ConfluenceApi, 'spaceReaders' | 'ancestors' | 'restrictedTo' | 'groups' | 'members' | 'accounts'> {
  return {
    spaceReaders: async (call, space) => {
      const readers: Reader[] = [];
      const path = `/api/v2/spaces/${space.id}/permissions`;
      for await (const permission of http.all(
        call,
        path,
        PermissionV2,
        `the permissions of space ${space.key}`,
        ignore,
      )) {
        const { key, targetType } = permission.operation;
        if (key === 'read' && targetType === 'space') readers.push(...readerOf(permission));
      }
      return readers;
    },
    ancestors: (call, pageId) => ancestorsOf(http, call, pageId),
    restrictedTo: (call, contentId) => readRestriction(http, call, contentId),
    async *groups(call) {
      for await (const group of http.all(call, '/rest/api/group', GroupV1, 'groups', ignore))
        yield group.id ?? group.name;
    },
    async *members(call, groupId) {
      const path = `/rest/api/group/${encodeURIComponent(groupId)}/membersByGroupId`;
      for await (const user of http.all(call, path, UserV1, `the members of group ${groupId}`, ignore))
        yield* userReader(user);
    },
    accounts: (call, ids) => accountsOf(http, call, ids),
  };
}
