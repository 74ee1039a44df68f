import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { entriesOf, type UnreadableEntry } from '#http/entries';
import { orNull } from '#http/or-null';
import { HolderV2 } from '#jira/holders';
import { LISTED_FIELDS, ListedIssueV2, UserV2 } from '#jira/issue-fields';
import type { JiraApi, Project } from '#jira/jira-api';
import type { JiraHttp } from '#jira/jira-http';
import { keysJql } from '#jira/jql';
import {
  ACCESS_FIELDS,
  AccessV2,
  accessByKey,
  createSharedApi,
  type Edition,
  holdersOf,
  ProjectV2,
  toSlice,
} from '#jira/shared-api';
import type { Account, Reader } from '#readers/reader';

const PAGE_SIZE = 100;
/** The limit of `keys`. https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-projects/ */
const KEYS_PER_REQUEST = 50;
const ACCOUNTS_PER_REQUEST = 100;

const group = (id: string | null | undefined): readonly Reader[] => (id ? [{ kind: 'group', id }] : []);
const user = (id: string | null | undefined): readonly Reader[] => (id ? [{ kind: 'user', id }] : []);

/** Accounts and groups have ids. */
const cloud: Edition = {
  groupParameter: 'groupId',
  userOf: async (_call, holder) => user(holder.user?.accountId ?? holder.value ?? holder.parameter),
  // Without an id, the group is unknown: names can change.
  groupOf: ({ value }) => group(value),
  actorOf: async (_call, { type, actorUser, actorGroup }) => {
    if (type === 'atlassian-user-role-actor') return user(actorUser?.accountId);
    return type === 'atlassian-group-role-actor' ? group(actorGroup?.groupId) : [];
  },
  groupsOf: ({ groupDetails }) => (groupDetails ?? []).flatMap(({ groupId }) => group(groupId)),
};

const Found = z.object({
  issues: entriesOf(ListedIssueV2, { id: 'key' }),
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().nullish(),
});

function batches<T>(entries: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(entries.length / size);
  return Array.from({ length: count }, (_, at) => entries.slice(at * size, (at + 1) * size));
}

async function accountsOf(http: JiraHttp, call: ConnectorCall, ids: readonly string[]) {
  const found = new Map<string, Account>();
  for (const batch of batches(ids, ACCOUNTS_PER_REQUEST)) {
    const query = batch.map((id) => `accountId=${encodeURIComponent(id)}`).join('&');
    const path = `/rest/api/2/user/bulk?${query}`;
    for await (const { items } of http.pages(call, { path, entry: UserV2, what: 'accounts' })) {
      for (const { accountId, displayName, emailAddress } of items) {
        if (accountId) found.set(accountId, { name: displayName || undefined, email: emailAddress || undefined });
      }
    }
  }
  return found;
}

/**
 * Creates the API of Jira Cloud. The search has page tokens, and its index can lag behind.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/
 */
export function createCloudApi(http: JiraHttp): JiraApi {
  const idOf = async (call: ConnectorCall, key: string): Promise<number | undefined> => {
    const path = `/rest/api/2/issue/${key}?fields=summary`;
    return (await orNull(http.get(call, path, z.object({ id: z.coerce.number() }), `issue ${key}`)))?.id;
  };

  return {
    ...createSharedApi(http, cloud),
    projects: async (call, keys) => {
      const items: Project[] = [];
      const unreadable: UnreadableEntry[] = [];
      const queries =
        keys.length === 0 ? [''] : batches(keys, KEYS_PER_REQUEST).map((some) => `&keys=${some.join('&keys=')}`);
      for (const query of queries) {
        const path = `/rest/api/2/project/search?status=live&orderBy=key${query}`;
        for await (const page of http.pages(call, { path, entry: ProjectV2, what: 'the projects' })) {
          items.push(...page.items.filter(({ key }) => keys.length === 0 || keys.includes(key)));
          unreadable.push(...page.unreadable);
        }
      }
      return { items, unreadable };
    },
    search: async (call, jql, next) => {
      const token = next === undefined ? {} : { nextPageToken: next };
      const body = { jql, fields: LISTED_FIELDS, maxResults: PAGE_SIZE, ...token };
      const found = await http.post(call, '/rest/api/3/search/jql', body, Found, 'the issues');
      const following = found.isLast === true ? undefined : (found.nextPageToken ?? undefined);
      return toSlice(found.issues, following);
    },
    matches: async (call, key, filter) => {
      // Without the id, a change that the index does not contain yet would be missed.
      const id = await idOf(call, key);
      if (id === undefined) return false;
      const body = { jql: keysJql([key], filter), fields: ['summary'], maxResults: 1, reconcileIssues: [id] };
      const schema = z.object({ issues: z.array(z.unknown()) });
      return (await http.post(call, '/rest/api/3/search/jql', body, schema, `issue ${key}`)).issues.length > 0;
    },
    access: async (call, keys) => {
      const body = { issueIdsOrKeys: keys, fields: ACCESS_FIELDS };
      const schema = z.object({ issues: entriesOf(AccessV2) });
      return accessByKey((await http.post(call, '/rest/api/3/issue/bulkfetch', body, schema, 'the issues')).issues);
    },
    securityMembers: async (call, levelId) => {
      const holders: HolderV2[] = [];
      const query = levelId === undefined ? '' : `&levelId=${encodeURIComponent(levelId)}`;
      const path = `/rest/api/2/issuesecurityschemes/level/member?expand=user${query}`;
      const entry = z.object({ issueSecurityLevelId: z.coerce.string(), holder: HolderV2 });
      for await (const page of http.pages(call, { path, entry, what: 'the members of a security level' })) {
        const ofLevel = page.items.filter(
          ({ issueSecurityLevelId }) => levelId === undefined || issueSecurityLevelId === levelId,
        );
        holders.push(...ofLevel.map(({ holder }) => holder));
      }
      return holdersOf(call, holders, cloud);
    },
    accounts: (call, ids) => accountsOf(http, call, ids),
  };
}
