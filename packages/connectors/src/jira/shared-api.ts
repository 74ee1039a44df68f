import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Entries } from '#http/entries';
import { entriesOf, mapEntries, wholeList } from '#http/entries';
import { orNull } from '#http/or-null';
import { type HolderNames, HolderV2, holderOf } from '#jira/holders';
import {
  CommentV2,
  fullIssue,
  ISSUE_FIELDS,
  IssueV2,
  isRestricted,
  issueComment,
  type ListedIssueV2,
  listedIssue,
  UserV2,
  userReader,
} from '#jira/issue-fields';
import type { Holder, IssueAccess, IssueComment, JiraApi, Slice } from '#jira/jira-api';
import { Id, type JiraHttp } from '#jira/jira-http';
import type { Reader } from '#readers/reader';

/** Comments of one issue that are read. */
const MAX_COMMENTS = 5_000;

export const ProjectV2 = z.object({ key: z.string() });

/** The fields that decide who can read an issue. */
export const ACCESS_FIELDS = ['security', 'reporter', 'assignee'] as const;

export const AccessV2 = z.object({
  key: z.string(),
  fields: z.object({
    security: z.object({ id: Id }).nullish(),
    reporter: UserV2.nullish(),
    assignee: UserV2.nullish(),
  }),
});

/** An unreadable issue is left out, so that no one can read it. */
export const accessByKey = ({ items }: Entries<z.infer<typeof AccessV2>>): ReadonlyMap<string, IssueAccess> =>
  new Map(
    items.map(({ key, fields }) => {
      const { security } = fields;
      const [reporter] = userReader(fields.reporter);
      const [assignee] = userReader(fields.assignee);
      return [key, { securityLevel: security ? security.id : security, reporter, assignee }];
    }),
  );

export function toSlice(issues: Entries<z.infer<typeof ListedIssueV2>>, next: string | undefined): Slice {
  const mapped = mapEntries(
    issues,
    ({ key }) => key,
    (issue) => [listedIssue(issue)],
  );
  return { ...mapped, next };
}

const Grant = z.object({ permission: z.string(), holder: HolderV2 });
const ActorV2 = z.object({
  type: z.string(),
  name: z.string().nullish(),
  actorUser: z.object({ accountId: z.string().nullish() }).nullish(),
  actorGroup: z.object({ groupId: z.string().nullish(), name: z.string().nullish() }).nullish(),
});
type ActorV2 = z.infer<typeof ActorV2>;
const ApplicationRole = z.object({
  key: z.string(),
  groups: z.array(z.string()).nullish(),
  groupDetails: z.array(z.object({ groupId: z.string().nullish() })).nullish(),
});
type ApplicationRole = z.infer<typeof ApplicationRole>;

/** How an edition identifies people and groups. */
export interface Edition extends HolderNames {
  actorOf(call: ConnectorCall, actor: ActorV2): Promise<readonly Reader[]>;
  groupsOf(role: ApplicationRole): readonly Reader[];
  /** The parameter for the members of a group. */
  readonly groupParameter: 'groupId' | 'groupname';
}

export async function holdersOf(
  call: ConnectorCall,
  holders: readonly HolderV2[],
  edition: Edition,
): Promise<readonly Holder[]> {
  const found: Holder[] = [];
  for (const holder of holders) found.push(...(await holderOf(call, holder, edition)));
  return found;
}

type SharedApi = Pick<
  JiraApi,
  | 'checkLogin'
  | 'siteUrl'
  | 'issue'
  | 'comments'
  | 'browsers'
  | 'roleMembers'
  | 'applicationGroups'
  | 'lead'
  | 'hasSecurityLevels'
  | 'members'
>;

/**
 * Creates the part of the API that both editions share: version 2, which returns descriptions and
 * comments as stored text and as rendered HTML.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v2/
 * https://developer.atlassian.com/server/jira/platform/rest/
 */
export function createSharedApi(http: JiraHttp, edition: Edition): SharedApi {
  let siteUrl: string | undefined;
  const project = (key: string) => `/rest/api/2/project/${encodeURIComponent(key)}`;

  return {
    checkLogin: async (call) => {
      await http.get(call, '/rest/api/2/myself', UserV2, 'the account');
    },
    siteUrl: async (call) => {
      const { origin, contextPath, isGateway } = http.instance;
      if (!isGateway) return `${origin}${contextPath}`;
      const schema = z.object({ baseUrl: z.url({ protocol: /^https?$/ }) });
      siteUrl ??= (await http.get(call, '/rest/api/2/serverInfo', schema, 'the site')).baseUrl.replace(/\/+$/, '');
      return siteUrl;
    },
    issue: async (call, key) => {
      const path = `/rest/api/2/issue/${key}?fields=${ISSUE_FIELDS.join(',')}&expand=renderedFields`;
      const found = await orNull(http.get(call, path, IssueV2, `issue ${key}`));
      return found === null ? null : fullIssue(found);
    },
    comments: async (call, key) => {
      const comments: IssueComment[] = [];
      const what = `the comments of ${key}`;
      const path = `/rest/api/2/issue/${key}/comment?orderBy=created&expand=renderedBody`;
      let read = 0;
      let omitted = 0;
      for await (const page of http.pages(call, { path, entry: CommentV2, field: 'comments', what })) {
        const entries = wholeList(page, what);
        read += entries.length;
        comments.push(...entries.filter((comment) => !isRestricted(comment)).flatMap(issueComment));
        if (read < MAX_COMMENTS) continue;
        omitted = Math.max((page.total ?? read) - read, 0);
        break;
      }
      comments.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
      return { comments, omitted };
    },
    browsers: async (call, key) => {
      const path = `${project(key)}/permissionscheme?expand=permissions,user`;
      const schema = z.object({ permissions: entriesOf(Grant) });
      const { permissions } = await http.get(call, path, schema, `the permission scheme of ${key}`);
      // An unreadable grant gives no access.
      const grants = permissions.items.filter(({ permission }) => permission === 'BROWSE_PROJECTS');
      return holdersOf(
        call,
        grants.map(({ holder }) => holder),
        edition,
      );
    },
    roleMembers: async (call, key, roleId) => {
      const schema = z.object({ actors: entriesOf(ActorV2, { optional: true }) });
      const { actors } = await http.get(call, `${project(key)}/role/${roleId}`, schema, `role ${roleId} of ${key}`);
      const readers: Reader[] = [];
      for (const actor of actors.items) readers.push(...(await edition.actorOf(call, actor)));
      return readers;
    },
    applicationGroups: async (call, key) => {
      const schema = entriesOf(ApplicationRole);
      const roles = await http.get(call, '/rest/api/2/applicationrole', schema, 'the application access');
      return roles.items.filter((role) => key === undefined || role.key === key).flatMap(edition.groupsOf);
    },
    lead: async (call, key) => {
      const schema = z.object({ lead: UserV2.nullish() });
      return userReader((await http.get(call, `${project(key)}?expand=lead`, schema, `project ${key}`)).lead);
    },
    hasSecurityLevels: async (call, key) => {
      const path = `${project(key)}/issuesecuritylevelscheme`;
      return (await orNull(http.get(call, path, z.unknown(), `the security scheme of ${key}`))) !== null;
    },
    async *members(call, group) {
      const path = `/rest/api/2/group/member?${edition.groupParameter}=${encodeURIComponent(group)}`;
      const list = { path, entry: UserV2, what: `the members of group ${group}` };
      // An unreadable member has no access.
      for await (const { items } of http.pages(call, list)) yield* items.flatMap(userReader);
    },
  };
}
