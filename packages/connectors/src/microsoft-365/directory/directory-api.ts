import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Entries } from '#http/entries';
import type { BatchResult, GraphHttp } from '#microsoft-365/graph-http';
import { batched, batchedLists } from '#microsoft-365/graph-lists';
import { encodePart, query, quoted } from '#microsoft-365/graph-query';
import { SourceError } from '#source-error';

export const User = z.object({
  id: z.string().min(1),
  displayName: z.string().optional(),
  mail: z.string().optional(),
  userPrincipalName: z.string().optional(),
  userType: z.string().optional(),
  accountEnabled: z.boolean().optional(),
});
export type User = z.infer<typeof User>;
const USER_FIELDS = 'id,displayName,mail,userPrincipalName,userType,accountEnabled';

const Group = z.object({
  id: z.string().min(1),
  displayName: z.string().optional(),
  groupTypes: z.array(z.string()).default([]),
  securityEnabled: z.boolean().default(false),
});
type Group = z.infer<typeof Group>;
const GROUP_FIELDS = 'id,displayName,groupTypes,securityEnabled';

/** Whose members a group principal has. */
export type MemberKind = 'members' | 'owners';

/** Requests for users and groups. */
export interface DirectoryApi {
  /** Finds users by id or address, in their order. */
  users(call: ConnectorCall, users: readonly string[]): Promise<readonly BatchResult<User>[]>;
  allUsers(call: ConnectorCall): AsyncGenerator<Entries<User>, void, void>;
  group(call: ConnectorCall, id: string): Promise<Group>;
  allGroups(call: ConnectorCall): AsyncGenerator<Entries<Group>, void, void>;
  /** Returns the ids of the groups with each mail address, in their order. */
  groupsByMail(call: ConnectorCall, addresses: readonly string[]): Promise<readonly BatchResult<readonly string[]>[]>;
  /** Reads the people of groups, in their order. Members include those of nested groups. */
  people(
    call: ConnectorCall,
    groups: readonly { readonly id: string; readonly kind: MemberKind }[],
  ): Promise<readonly BatchResult<Entries<User>>[]>;
}

export function createDirectoryApi(http: GraphHttp): DirectoryApi {
  return {
    users: (call, users) =>
      batched(
        http,
        call,
        users.map((user) => ({
          path: `/users/${encodePart(user)}?${query({ $select: USER_FIELDS })}`,
          what: `the user ${user}`,
        })),
        User,
      ),
    allUsers: (call) =>
      http.pages(
        call,
        { path: `/users?${query({ $select: USER_FIELDS, $top: '999' })}`, what: 'the list of users' },
        User,
      ),
    group: (call, id) =>
      http.get(call, { path: `/groups/${encodePart(id)}?$select=${GROUP_FIELDS}`, what: `the group ${id}` }, Group),
    allGroups: (call) =>
      http.pages(
        call,
        { path: `/groups?${query({ $select: GROUP_FIELDS, $top: '999' })}`, what: 'the list of groups' },
        Group,
      ),
    groupsByMail: async (call, addresses) => {
      const requests = addresses.map((address) => ({
        path: `/groups?${query({ $filter: `mail eq ${quoted(address)}`, $select: 'id' })}`,
        what: `the group ${address}`,
      }));
      const results = await batchedLists(http, call, requests, z.object({ id: z.string().min(1) }));
      return results.map((result) => {
        if ('error' in result) return result;
        const [entry] = result.value.unreadable;
        if (entry === undefined) return { value: result.value.items.map(({ id }) => id) };
        return { error: new SourceError('invalid', `A group has an unexpected format: ${entry.problem}.`) };
      });
    },
    people: (call, groups) =>
      batchedLists(
        http,
        call,
        groups.map(({ id, kind }) => ({
          path: `/groups/${encodePart(id)}/${kind === 'members' ? 'transitiveMembers' : 'owners'}/microsoft.graph.user?${query({ $select: USER_FIELDS, $top: '999', $count: 'true' })}`,
          // Required by the cast to users.
          headers: { consistencylevel: 'eventual' },
          what: `the ${kind} of the group ${id}`,
        })),
        User,
      ),
  };
}
