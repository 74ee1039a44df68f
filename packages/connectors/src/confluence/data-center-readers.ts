import { z } from 'zod';
import type { ConfluenceApi, Space } from '#confluence/confluence-api';
import { type ConfluenceHttp, Id } from '#confluence/confluence-http';
import { GroupV1, UserV1, userReader } from '#confluence/content-v1';
import { readRestriction } from '#confluence/restrictions-v1';
import type { ConnectorCall } from '#connector';
import { entriesOf } from '#http/entries';
import type { Account, Reader } from '#readers/reader';
import { SourceError } from '#source-error';

/** Since version 9.1. */
const Granted = entriesOf(
  z.object({
    operation: z.object({ targetType: z.string(), operationKey: z.string() }),
    subject: UserV1.extend({ type: z.string().nullish(), name: z.string().nullish() }).nullish(),
  }),
);

/** Before 9.1: one set per permission. An entry without a user and a group means everyone. */
const PermissionSets = z.object({
  result: z.array(
    z.object({
      type: z.string(),
      spacePermissions: z.array(z.object({ userName: z.string().nullish(), groupName: z.string().nullish() })),
    }),
  ),
});

function grantedTo(subject: z.infer<typeof Granted>['items'][number]['subject']): readonly Reader[] {
  if (!subject || subject.type === 'anonymous') return [{ kind: 'everyone' }];
  if (subject.type === 'group') return subject.name ? [{ kind: 'group', id: subject.name }] : [];
  return userReader({ ...subject, username: subject.username ?? subject.name });
}

async function readersOf(http: ConfluenceHttp, call: ConnectorCall, { key }: Space): Promise<readonly Reader[]> {
  const what = `the permissions of space ${key}`;
  try {
    const granted = await http.get(call, `/rest/api/space/${encodeURIComponent(key)}/permissions`, Granted, what);
    return granted.items
      .filter(({ operation }) => operation.targetType === 'space' && operation.operationKey === 'read')
      .flatMap(({ subject }) => grantedTo(subject));
  } catch (error) {
    if (!(error instanceof SourceError && error.kind === 'gone')) throw error;
  }
  const request = { jsonrpc: '2.0', method: 'getSpacePermissionSets', id: 1, params: [key] };
  const { result } = await http.post(call, '/rpc/json-rpc/confluenceservice-v2', request, PermissionSets, what);
  const named = result.filter((set) => set.type === 'VIEWSPACE').flatMap((set) => set.spacePermissions);
  const readers: Reader[] = [];
  for (const { userName, groupName } of named) {
    if (groupName) readers.push({ kind: 'group', id: groupName });
    else if (userName) readers.push(...(await userNamed(http, call, userName)));
    else readers.push({ kind: 'everyone' });
  }
  return readers;
}

/** Accounts are identified by their key, which does not change when they are renamed. */
async function userNamed(http: ConfluenceHttp, call: ConnectorCall, username: string): Promise<readonly Reader[]> {
  try {
    const path = `/rest/api/user?username=${encodeURIComponent(username)}`;
    return userReader(await http.get(call, path, UserV1, `user ${username}`));
  } catch (error) {
    if (error instanceof SourceError && error.kind === 'gone') return [];
    throw error;
  }
}

/** Skips an unreadable user or group, which then has no access. */
const ignore = () => undefined;

/** Reads permissions on Data Center. */
export function dataCenterReaders(
  http: ConfluenceHttp,
): Pick<ConfluenceApi, 'spaceReaders' | 'ancestors' | 'restrictedTo' | 'groups' | 'members' | 'accounts'> {
  return {
    spaceReaders: (call, space) => readersOf(http, call, space),
    ancestors: async (call, pageId) => {
      const schema = z.object({ ancestors: z.array(z.object({ id: Id })) });
      const path = `/rest/api/content/${pageId}?expand=ancestors`;
      return (await http.get(call, path, schema, `the ancestors of page ${pageId}`)).ancestors.map(({ id }) => id);
    },
    restrictedTo: (call, contentId) => readRestriction(http, call, contentId),
    async *groups(call) {
      for await (const { name } of http.all(call, '/rest/api/group', GroupV1, 'groups', ignore)) yield name;
    },
    async *members(call, name) {
      const path = `/rest/api/group/${encodeURIComponent(name)}/member`;
      for await (const user of http.all(call, path, UserV1, `the members of group ${name}`, ignore))
        yield* userReader(user);
    },
    // Contents include names, and emails are never visible.
    accounts: async () => new Map<string, Account>(),
  };
}
