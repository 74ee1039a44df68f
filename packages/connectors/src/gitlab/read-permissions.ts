import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { DirectoryUser, GitlabApi, Member } from '#gitlab/gitlab-api';
import type { IssueAccess, Project, User } from '#gitlab/gitlab-schemas';
import { siteOf } from '#gitlab/instance-url';
import { type ItemName, type Part, parseItemId } from '#gitlab/item-id';
import { versionWithin } from '#gitlab/item-refs';
import { findProjects, hasPart, projectOf, type Scope } from '#gitlab/scope';
import { type Accounts, createAccounts } from '#readers/accounts';
import type { Account } from '#readers/reader';
import { isUnreadable } from '#readers/reader-lists';
import { groupPrincipal } from '#settings/group-principal';
import type { SourceGroup, SourcePermissions, SourceRef } from '#source';

const ISSUES_PER_REQUEST = 50;
const DIRECTORY_MS = 10 * 60_000;

/** https://docs.gitlab.com/api/project_members/#roles */
const ROLES = { guest: 10, planner: 15, reporter: 20 } as const;
type Role = keyof typeof ROLES;

/**
 * The lowest role that can always access a part of a project that is not open to everyone. Guests
 * of a private project can see neither its code nor its merge requests.
 * https://docs.gitlab.com/user/permissions/
 */
const ROLE_OF: Readonly<Record<Part, Role>> = {
  repository: 'reporter',
  issues: 'guest',
  merge_requests: 'reporter',
  wiki: 'guest',
};

/** Planners, and roles from Reporter, see confidential issues. Their author and assignees do too. */
const CONFIDENTIAL: Role = 'planner';

/** Returns the group of the members of a project from a role. Ids of projects never change. */
const groupOf = (site: string, project: Project, role: Role): string =>
  groupPrincipal('gitlab', `${project.id}-${role}`, site);

/** Returns the group of everyone who can see internal projects: all accounts but external ones. */
const internalGroup = (site: string): string => groupPrincipal('gitlab', 'internal', site);

async function orEmpty<T>(value: Promise<T>, empty: T): Promise<T> {
  try {
    return await value;
  } catch (error) {
    if (isUnreadable(error)) return empty;
    throw error;
  }
}

export interface People {
  readonly accounts: Accounts;
  /** The accounts of the instance; empty unless the token belongs to an administrator. */
  directory(call: ConnectorCall): Promise<readonly DirectoryUser[]>;
}

/**
 * Creates the lookup of emails. All of them are verified: the confirmed primary email, for the token
 * of an administrator, or else the public email, which GitLab verifies.
 */
export function createPeople(api: GitlabApi): People {
  const cache = createCache<'all', readonly DirectoryUser[]>({ maxEntries: 1, ttlMs: DIRECTORY_MS, now: Date.now });
  const directory: People['directory'] = async (call) => {
    const cached = cache.get('all');
    if (cached !== undefined) return cached;
    const { isAdministrator } = await api.checkLogin(call);
    const found = isAdministrator ? await orEmpty(api.directory(call), []) : [];
    cache.set('all', found);
    return found;
  };
  const load = async (call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, Account>> => {
    const known = new Map((await directory(call)).map(({ id, email }) => [id, email]));
    const others = ids.filter((id) => known.get(id) === undefined);
    const shown = await orEmpty(api.publicEmails(call, others), new Map<string, string>());
    return new Map(ids.map((id) => [id, { name: undefined, email: known.get(id) ?? shown.get(id) }]));
  };
  return { accounts: createAccounts({ source: 'gitlab', load }), directory };
}

export interface ReaderContext {
  readonly scope: Scope;
  readonly people: People;
}

/**
 * The strictest level of the parts that an access needs: merge requests also need the repository. A
 * level that GitLab does not return counts as one for members.
 */
function levelOf({ levels }: Project, part: Part): 'enabled' | 'private' | undefined {
  const parts: readonly Part[] = part === 'merge_requests' ? [part, 'repository'] : [part];
  const needed = parts.map((each) => levels[each] ?? 'private');
  if (needed.some((level) => level !== 'enabled' && level !== 'private')) return undefined;
  return needed.includes('private') ? 'private' : 'enabled';
}

/**
 * Returns the readers of a part of a project. Unknown levels and visibilities give no one access.
 * https://docs.gitlab.com/user/public_access/
 */
function readersOf(site: string, project: Project, part: Part): readonly string[] {
  const level = levelOf(project, part);
  const members = groupOf(site, project, ROLE_OF[part]);
  if (level === undefined) return [];
  switch (project.visibility) {
    case 'public':
      return level === 'enabled' ? ['public'] : [members];
    case 'internal':
      return level === 'enabled' ? [internalGroup(site), members] : [members];
    case 'private':
      return [members];
    default:
      return [];
  }
}

/**
 * Names people by their email: as their group's owner sees it, or as `accounts` knows it. Without
 * one, by their id.
 */
async function principalsOf({ accounts }: People, call: ConnectorCall, members: readonly Omit<Member, 'level'>[]) {
  const named = members.flatMap(({ email }) => (email === undefined ? [] : [`user:${email.toLowerCase()}`]));
  const others = members.filter(({ email }) => email === undefined).map(({ id }) => ({ kind: 'user', id }) as const);
  return [...new Set([...named, ...(await accounts.principalsOf(call, others))])];
}

/** Yields the readers of each item: none if its version is of another project with the same path. */
export async function* readPermissions(
  { scope, people }: ReaderContext,
  call: ConnectorCall,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const { api } = scope;
  const site = siteOf(api.base);
  const projects = new Map<string, Promise<Project | null>>();
  const members = new Map<number, Promise<ReadonlyMap<string, Member>>>();

  const projectFor = async (name: ItemName, ref: SourceRef): Promise<Project | null> => {
    const found = projects.get(name.project) ?? orEmpty(projectOf(scope, call, name), null);
    projects.set(name.project, found);
    const project = await found;
    return project === null || versionWithin(project, ref) === undefined ? null : project;
  };
  const membersOf = (project: Project): Promise<ReadonlyMap<string, Member>> => {
    const found =
      members.get(project.id) ??
      orEmpty(api.members(call, project), []).then((all) => new Map(all.map((member) => [member.id, member])));
    members.set(project.id, found);
    return found;
  };

  /** Returns the author and the assignees of a confidential issue, if they can see issues of the project. */
  const peopleOf = async (project: Project, { author, assignees }: IssueAccess): Promise<readonly string[]> => {
    const all: readonly User[] = [...(author ? [author] : []), ...(assignees ?? [])];
    const known = await membersOf(project);
    const isOpen = readersOf(site, project, 'issues').includes('public');
    const eligible = all
      .filter(({ state }) => state === 'active')
      .map(({ id }) => known.get(String(id)) ?? { id: String(id), level: 0, email: undefined })
      .filter(({ level }) => isOpen || level >= ROLES.guest);
    return principalsOf(people, call, eligible);
  };

  const issueReaders = async (project: Project, access: IssueAccess | undefined): Promise<readonly string[]> => {
    const readers = readersOf(site, project, 'issues');
    if (access === undefined || access.author?.state === 'banned' || readers.length === 0) return [];
    if (access.confidential === false) return readers;
    return [groupOf(site, project, CONFIDENTIAL), ...(await peopleOf(project, access))];
  };

  /** Returns what decides about the issues among the items, by item id. */
  const accessOf = async (batch: readonly SourceRef[]): Promise<ReadonlyMap<string, IssueAccess>> => {
    const wanted = new Map<Project, Map<number, string>>();
    for (const ref of batch) {
      const { id } = ref;
      const name = parseItemId(id);
      if (name?.part !== 'issues') continue;
      const project = await projectFor(name, ref);
      if (project === null || !hasPart(scope, project, 'issues')) continue;
      wanted.set(project, (wanted.get(project) ?? new Map<number, string>()).set(name.number, id));
    }
    const found = new Map<string, IssueAccess>();
    for (const [project, ids] of wanted) {
      for (const [number, access] of await orEmpty(api.issueAccess(call, project, [...ids.keys()]), new Map())) {
        const id = ids.get(number);
        if (id !== undefined) found.set(id, access);
      }
    }
    return found;
  };

  for (let at = 0; at < refs.length; at += ISSUES_PER_REQUEST) {
    const batch = refs.slice(at, at + ISSUES_PER_REQUEST);
    const access = await accessOf(batch);
    for (const ref of batch) {
      const { id } = ref;
      const name = parseItemId(id);
      const project = name === undefined ? null : await projectFor(name, ref);
      if (name === undefined || project === null || !hasPart(scope, project, name.part)) {
        yield { id, principals: [] };
      } else if (name.part === 'issues') {
        yield { id, principals: await issueReaders(project, access.get(id)) };
      } else {
        yield { id, principals: readersOf(site, project, name.part) };
      }
    }
  }
}

/** Yields the groups of the selected projects, and that of internal projects, with their members. */
export async function* readGroups(
  { scope, people }: ReaderContext,
  call: ConnectorCall,
): AsyncGenerator<SourceGroup, void, void> {
  const { api } = scope;
  const site = siteOf(api.base);
  const { projects } = await findProjects(scope, call);
  for (const project of projects) {
    const members = await orEmpty(api.members(call, project), []);
    for (const role of ['guest', 'planner', 'reporter'] as const) {
      const holders = members.filter(({ level }) => level >= ROLES[role]);
      yield { principal: groupOf(site, project, role), members: await principalsOf(people, call, holders) };
    }
  }
  if (!projects.some(({ visibility }) => visibility === 'internal')) return;
  const accounts = (await people.directory(call)).filter(({ seesInternal }) => seesInternal);
  const members = await principalsOf(
    people,
    call,
    accounts.map(({ id }) => ({ id, email: undefined })),
  );
  yield { principal: internalGroup(site), members };
}
