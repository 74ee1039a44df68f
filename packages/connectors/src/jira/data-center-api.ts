import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { entriesOf } from '#http/entries';
import { orNull } from '#http/or-null';
import { LISTED_FIELDS, ListedIssueV2, UserV2, userReader } from '#jira/issue-fields';
import type { IssueAccess, JiraApi } from '#jira/jira-api';
import type { JiraHttp } from '#jira/jira-http';
import { keysJql } from '#jira/jql';
import {
  ACCESS_FIELDS,
  AccessV2,
  accessByKey,
  createSharedApi,
  type Edition,
  ProjectV2,
  toSlice,
} from '#jira/shared-api';
import type { Account, Reader } from '#readers/reader';

const PAGE_SIZE = 100;

const group = (name: string | null | undefined): readonly Reader[] => (name ? [{ kind: 'group', id: name }] : []);

/** Accounts have keys, which stay the same when they are renamed; groups have only names. */
function editionOf(http: JiraHttp): Edition {
  const userBy = async (call: ConnectorCall, field: 'key' | 'username', value: string | null | undefined) => {
    if (!value) return [];
    const path = `/rest/api/2/user?${field}=${encodeURIComponent(value)}`;
    return userReader(await orNull(http.get(call, path, UserV2, 'an account')));
  };
  return {
    groupParameter: 'groupname',
    userOf: async (call, { user, parameter }) => {
      const [found] = userReader(user);
      return found === undefined ? userBy(call, 'key', parameter) : [found];
    },
    groupOf: ({ parameter }) => group(parameter),
    actorOf: async (call, { type, name, actorGroup }) => {
      if (type === 'atlassian-user-role-actor') return userBy(call, 'username', name);
      return type === 'atlassian-group-role-actor' ? group(actorGroup?.name ?? name) : [];
    },
    groupsOf: ({ groups }) => (groups ?? []).flatMap(group),
  };
}

const Found = z.object({
  startAt: z.number().nullish(),
  total: z.number().nullish(),
  issues: entriesOf(ListedIssueV2, { id: 'key' }),
});

/**
 * Creates the API of Jira Data Center. The search has offsets.
 * https://developer.atlassian.com/server/jira/platform/rest/v10000/api-group-search/
 */
export function createDataCenterApi(http: JiraHttp): JiraApi {
  const find = <T>(call: ConnectorCall, body: Record<string, unknown>, schema: z.ZodType<T>) =>
    http.post(call, '/rest/api/2/search', body, schema, 'the issues');

  return {
    ...createSharedApi(http, editionOf(http)),
    projects: async (call, keys) => {
      const { items, unreadable } = await http.get(call, '/rest/api/2/project', entriesOf(ProjectV2), 'the projects');
      return { items: items.filter(({ key }) => keys.length === 0 || keys.includes(key)), unreadable };
    },
    search: async (call, jql, next) => {
      const startAt = Number(next ?? 0);
      const found = await find(call, { jql, fields: LISTED_FIELDS, startAt, maxResults: PAGE_SIZE }, Found);
      const read = found.issues.items.length + found.issues.unreadable.length;
      const following = startAt + read;
      return toSlice(
        found.issues,
        read === 0 || following >= (found.total ?? Number.POSITIVE_INFINITY) ? undefined : String(following),
      );
    },
    matches: async (call, key, filter) => {
      const body = { jql: keysJql([key], filter), fields: ['summary'], maxResults: 1 };
      return (await find(call, body, z.object({ issues: z.array(z.unknown()) }))).issues.length > 0;
    },
    access: async (call, keys) => {
      const found = new Map<string, IssueAccess>();
      const schema = z.object({ issues: entriesOf(AccessV2) });
      // Without validation, keys of issues that no longer exist are ignored.
      const query = { jql: keysJql(keys), fields: ACCESS_FIELDS, validateQuery: false };
      // Administrators can set a lower maximum.
      for (let startAt = 0; startAt < keys.length; ) {
        const { issues } = await find(call, { ...query, startAt, maxResults: keys.length - startAt }, schema);
        for (const [key, access] of accessByKey(issues)) found.set(key, access);
        const read = issues.items.length + issues.unreadable.length;
        if (read === 0) break;
        startAt += read;
      }
      return found;
    },
    securityMembers: async () => [],
    // Responses include names and visible emails.
    accounts: async () => new Map<string, Account>(),
  };
}
