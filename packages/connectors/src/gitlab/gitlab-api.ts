import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { GitlabHttp, Page, Query } from '#gitlab/gitlab-http';
import {
  CommitV4,
  DirectoryUserV4,
  type Issuable,
  IssuableV4,
  type IssueAccess,
  IssueAccessV4,
  MemberV4,
  type Note,
  NoteV4,
  type Project,
  ProjectV4,
  type TreeEntry,
  TreeEntryV4,
  UserV4,
  type WikiPage,
  WikiPageV4,
} from '#gitlab/gitlab-schemas';
import { type Entries, entriesOf, wholeList } from '#http/entries';
import { orNull } from '#http/or-null';
import { SourceError } from '#source-error';

const MAX_PROJECT_PAGES = 200;
const MAX_TREE_PAGES = 20_000;
const MAX_MEMBER_PAGES = 1_000;
const MAX_USER_PAGES = 1_000;
const MAX_WIKI_PAGES = 1_000;
/** Comments of one issue or merge request that are read. */
const MAX_NOTES = 5_000;
/** The largest page of GraphQL. https://docs.gitlab.com/api/graphql/#limits */
const USERS_PER_QUERY = 100;

export type IssuablePart = 'issues' | 'merge_requests';

/** A position in a list of issues or merge requests in the order of their creation, or last update. */
export interface IssuableQuery {
  readonly by: 'created' | 'updated';
  /** Inclusive. ISO 8601. */
  readonly after?: string | undefined;
  readonly page: number;
}

/** An active member of a project: direct, inherited from a group, or of an invited group. */
export interface Member {
  readonly id: string;
  /** https://docs.gitlab.com/api/project_members/#roles */
  readonly level: number;
  readonly email: string | undefined;
}

/** The account of the token. */
interface Account {
  readonly id: number;
  /** True also if the token cannot use the rights, because it lacks the scope `admin_mode`. */
  readonly isAdministrator: boolean;
}

/** An account as an administrator sees it. */
export interface DirectoryUser {
  readonly id: string;
  /** The primary email, if it is confirmed. */
  readonly email: string | undefined;
  /** True if the account can see internal projects. */
  readonly seesInternal: boolean;
}

export interface Notes {
  readonly notes: readonly Note[];
  /** True if there are more than are read. */
  readonly isCut: boolean;
}

interface NotesOptions {
  /** Other comments are not kept. */
  readonly isWanted: (note: Note) => boolean;
  /** The limit of the texts of wanted comments together. */
  readonly maxBytes: number;
}

/** The requests to GitLab's REST and GraphQL APIs. */
export interface GitlabApi {
  readonly base: string;
  /** Throws `auth` if the token is rejected. */
  checkLogin(call: ConnectorCall): Promise<Account>;
  project(call: ConnectorCall, path: string): Promise<Project>;
  /**
   * Returns true if the account is an active member of the group, also by inheritance or invitation:
   * then it sees all projects of the group and its subgroups.
   */
  isMember(call: ConnectorCall, group: string, account: Account): Promise<boolean>;
  /** Returns true if the token has the rights of an administrator: then it sees all projects. */
  seesEverything(call: ConnectorCall, account: Account): Promise<boolean>;
  /** Returns the visible projects of a group and its subgroups, without those shared with it. */
  groupProjects(call: ConnectorCall, path: string): Promise<Entries<Project>>;
  /** Returns the commit of a branch, tag or commit name; null if it does not exist. */
  commit(call: ConnectorCall, project: Project, name: string): Promise<string | null>;
  /** Yields all entries below a commit, or those of one folder. */
  tree(
    call: ConnectorCall,
    project: Project,
    tree: { readonly commit: string; readonly folder?: string; readonly at?: string | undefined },
  ): AsyncGenerator<Page<TreeEntry>, void>;
  blob(call: ConnectorCall, project: Project, sha: string, what: string): Promise<AsyncIterable<Uint8Array>>;
  issuables(call: ConnectorCall, project: Project, part: IssuablePart, query: IssuableQuery): Promise<Page<Issuable>>;
  issuable(call: ConnectorCall, project: Project, part: IssuablePart, number: number): Promise<Issuable | null>;
  /** Throws `too_large` as soon as the limit is exceeded. */
  notes(
    call: ConnectorCall,
    project: Project,
    { part, number }: { readonly part: IssuablePart; readonly number: number },
    options: NotesOptions,
  ): Promise<Notes>;
  /** Returns who can read issues, by number. At most 100. */
  issueAccess(
    call: ConnectorCall,
    project: Project,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, IssueAccess>>;
  /** Returns all pages of a wiki, with their content unless that is too large for one response. */
  wikiPages(call: ConnectorCall, project: Project): Promise<Entries<WikiPage>>;
  wikiPage(call: ConnectorCall, project: Project, slug: string): Promise<WikiPage | null>;
  members(call: ConnectorCall, project: Project): Promise<readonly Member[]>;
  /** Returns the active accounts of the instance. Only for administrators. */
  directory(call: ConnectorCall): Promise<readonly DirectoryUser[]>;
  /** Returns the public emails of accounts, which GitLab has verified. */
  publicEmails(call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const USERS_QUERY = 'query ($ids: [ID!]) { users(ids: $ids, first: 100) { nodes { id publicEmail } } }';
const UsersAnswer = z.object({
  data: z.object({
    users: z.object({ nodes: entriesOf(z.object({ id: z.string(), publicEmail: z.string().nullish() })) }),
  }),
});

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const emailIn = (text: string | null | undefined): string | undefined => (text && EMAIL.test(text) ? text : undefined);

const NAMES = { issues: 'issue', merge_requests: 'merge request' } as const;

/** The lowest role that sees the projects of a group. Minimal Access does not. */
const GUEST = 10;

/** Awaits a request. Returns null if what it requests does not exist or must not be read. */
async function orInaccessible<T>(request: Promise<T>): Promise<T | null> {
  return orNull(request).catch((error: unknown) => {
    if (error instanceof SourceError && error.kind === 'forbidden') return null;
    throw error;
  });
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** True unless the membership has ended, is not active, or cannot be understood. */
function isActive({ state, membership_state, expires_at }: z.infer<typeof MemberV4>): boolean {
  if (state !== 'active' || (membership_state ?? 'active') !== 'active') return false;
  return (
    expires_at === null || expires_at === undefined || (/^\d{4}-\d\d-\d\d/.test(expires_at) && expires_at > today())
  );
}

/** Creates the API of an instance. */
export function createGitlabApi(http: GitlabHttp): GitlabApi {
  const pathOf = ({ id }: Project) => `/projects/${id}`;
  const wikiOf = (project: Project, query: Query) => ({
    ...{ path: `${pathOf(project)}/wikis`, query, entry: WikiPageV4, id: 'slug' },
    what: `the wiki of ${project.path}`,
  });
  const allPages = async <T>(pages: AsyncIterable<Page<T>>): Promise<Entries<T>> => {
    const items: T[] = [];
    const unreadable: Entries<T>['unreadable'][number][] = [];
    for await (const page of pages) {
      items.push(...page.items);
      unreadable.push(...page.unreadable);
    }
    return { items, unreadable };
  };

  return {
    base: http.base,
    checkLogin: async (call) => {
      const schema = UserV4.extend({ is_admin: z.boolean().nullish() });
      const { id, is_admin } = await http.get(call, '/user', schema, 'the account');
      return { id, isAdministrator: is_admin === true };
    },
    project: (call, path) => http.get(call, `/projects/${encodeURIComponent(path)}`, ProjectV4, `the project ${path}`),
    // https://docs.gitlab.com/api/group_members/
    isMember: async (call, group, { id }) => {
      const path = `/groups/${encodeURIComponent(group)}/members/all/${id}`;
      const member = await orInaccessible(http.get(call, path, MemberV4, `the membership of ${group}`));
      return member !== null && member.id === id && isActive(member) && member.access_level >= GUEST;
    },
    seesEverything: async (call, { id, isAdministrator }) => {
      if (!isAdministrator) return false;
      // GitLab refuses this to everyone else, also to administrators without admin mode.
      const path = `/users/${id}/memberships?per_page=1`;
      return (await orInaccessible(http.get(call, path, z.array(z.unknown()), 'the memberships'))) !== null;
    },
    groupProjects: (call, path) => {
      const list = {
        path: `/groups/${encodeURIComponent(path)}/projects`,
        query: { include_subgroups: 'true', with_shared: 'false', order_by: 'id', sort: 'asc' },
        entry: ProjectV4,
        what: `the projects of ${path}`,
      };
      return allPages(http.pages(call, list, MAX_PROJECT_PAGES));
    },
    commit: async (call, project, name) => {
      const path = `${pathOf(project)}/repository/commits/${encodeURIComponent(name)}?stats=false`;
      return (await orNull(http.get(call, path, CommitV4, `the branch ${name} of ${project.path}`)))?.id ?? null;
    },
    tree: (call, project, { commit, folder, at }) => {
      const scope = folder === undefined ? { recursive: 'true' } : folder === '' ? {} : { path: folder };
      const list = {
        path: `${pathOf(project)}/repository/tree`,
        query: { ref: commit, ...scope, pagination: 'keyset' },
        entry: TreeEntryV4,
        id: 'path',
        what: `the files of ${project.path}`,
      };
      return http.pages(call, list, MAX_TREE_PAGES, at);
    },
    blob: (call, project, sha, what) =>
      http.download(call, `${pathOf(project)}/repository/blobs/${encodeURIComponent(sha)}/raw`, what),
    issuables: (call, project, part, { by, after, page }) => {
      const query = {
        ...{ scope: 'all', state: 'all', order_by: `${by}_at`, sort: 'asc', page: `${page}` },
        ...(after === undefined ? {} : { [`${by}_after`]: after }),
      };
      const what = `the ${NAMES[part]}s of ${project.path}`;
      return http.page(call, { path: `${pathOf(project)}/${part}`, query, entry: IssuableV4, id: 'iid', what });
    },
    issuable: (call, project, part, number) =>
      orNull(
        http.get(
          call,
          `${pathOf(project)}/${part}/${number}`,
          IssuableV4,
          `${NAMES[part]} ${number} of ${project.path}`,
        ),
      ),
    notes: async (call, project, { part, number }, { isWanted, maxBytes }) => {
      const what = `the comments of ${NAMES[part]} ${number} of ${project.path}`;
      const path = `${pathOf(project)}/${part}/${number}/notes`;
      const list = { path, query: { order_by: 'created_at', sort: 'asc' }, entry: NoteV4, what };
      const notes: Note[] = [];
      let count = 0;
      let bytes = 0;
      for await (const page of http.pages(call, list, MAX_NOTES)) {
        const found = wholeList(page, what);
        const wanted = found.slice(0, MAX_NOTES - count).filter(isWanted);
        bytes += wanted.reduce((sum, { body }) => sum + Buffer.byteLength(body ?? ''), 0);
        if (bytes > maxBytes) {
          throw new SourceError('too_large', `The text of ${what} is larger than the limit of ${maxBytes} bytes.`);
        }
        notes.push(...wanted);
        count += found.length;
        if (count > MAX_NOTES || (count === MAX_NOTES && page.next !== undefined)) return { notes, isCut: true };
      }
      return { notes, isCut: false };
    },
    issueAccess: async (call, project, numbers) => {
      const query = { scope: 'all', state: 'all', iids: numbers.map(String) };
      const list = { path: `${pathOf(project)}/issues`, query, entry: IssueAccessV4, id: 'iid', what: 'issues' };
      const { items } = await allPages(http.pages(call, list, numbers.length));
      return new Map(items.map((issue) => [issue.iid, issue]));
    },
    wikiPages: async (call, project) => {
      try {
        return await allPages(http.pages(call, wikiOf(project, { with_content: 'true' }), MAX_WIKI_PAGES));
      } catch (error) {
        if (!(error instanceof SourceError) || error.kind !== 'too_large') throw error;
        return allPages(http.pages(call, wikiOf(project, { with_content: 'false' }), MAX_WIKI_PAGES));
      }
    },
    wikiPage: (call, project, slug) => {
      const path = `${pathOf(project)}/wikis/${encodeURIComponent(slug)}`;
      return orNull(http.get(call, path, WikiPageV4, `the wiki page ${slug} of ${project.path}`));
    },
    members: async (call, project) => {
      const path = `${pathOf(project)}/members/all`;
      const list = { path, entry: MemberV4, what: `the members of ${project.path}` };
      const { items } = await allPages(http.pages(call, list, MAX_MEMBER_PAGES));
      return items
        .filter(isActive)
        .map(({ id, access_level, email }) => ({ id: String(id), level: access_level, email: emailIn(email) }));
    },
    directory: async (call) => {
      const query = { active: 'true', order_by: 'id', sort: 'asc', pagination: 'keyset' };
      const list = { path: '/users', query, entry: DirectoryUserV4, what: 'the accounts' };
      const { items } = await allPages(http.pages(call, list, MAX_USER_PAGES));
      return items
        .filter(({ state }) => state === 'active')
        .map(({ id, email, confirmed_at, external }) => ({
          id: String(id),
          email: confirmed_at ? emailIn(email) : undefined,
          seesInternal: external === false,
        }));
    },
    publicEmails: async (call, ids) => {
      const emails = new Map<string, string>();
      for (let at = 0; at < ids.length; at += USERS_PER_QUERY) {
        const globalIds = ids.slice(at, at + USERS_PER_QUERY).map((id) => `gid://gitlab/User/${id}`);
        const { data } = await http.graphql(call, USERS_QUERY, { ids: globalIds }, UsersAnswer, 'accounts');
        for (const { id, publicEmail } of data.users.nodes.items) {
          const email = emailIn(publicEmail);
          if (email !== undefined) emails.set(id.replace(/^.*\//, ''), email);
        }
      }
      return emails;
    },
  };
}
