import type { ConnectorCall } from '#connector';
import { inOrder } from '#in-order';
import { projectKeyOf } from '#jira/issue-key';
import type { Holder, IssueAccess, JiraApi } from '#jira/jira-api';
import type { Accounts } from '#readers/accounts';
import { memberPrincipals } from '#readers/group-members';
import type { Reader, UserReader } from '#readers/reader';
import { distinct, intersect, isEveryone, isUnreadable, once, orNoReaders } from '#readers/reader-lists';
import { groupPrincipal } from '#settings/group-principal';
import type { SourceGroup, SourcePermissions, SourceRef } from '#source';

const ISSUES_PER_REQUEST = 50;
const CONCURRENT_ISSUES = 4;

export interface PermissionContext {
  readonly api: JiraApi;
  readonly accounts: Accounts;
  /** The site of the groups: each site has its own `jira-administrators`. */
  readonly site: string;
  readonly projects: readonly string[];
}

/** Readers, and the people of each issue who can also read it. */
interface HolderReaders {
  readonly readers: readonly Reader[];
  readonly reporter: boolean;
  readonly assignee: boolean;
}

/** Returns the holders; none if they are unreadable, so that no one has access. */
async function orNoHolders(holders: Promise<readonly Holder[]>): Promise<readonly Holder[]> {
  try {
    return await holders;
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

/** Resolves holders of permissions to readers. Caches results for one pass. */
function createHolderReaders({ api }: PermissionContext, call: ConnectorCall) {
  const applications = once((key) => orNoReaders(api.applicationGroups(call, key === '' ? undefined : key)));
  const roles = once((place) => {
    const [project = '', role = ''] = place.split('/');
    return orNoReaders(api.roleMembers(call, project, role));
  });
  const leads = once((project) => orNoReaders(api.lead(call, project)));

  const readersOf = async (project: string, holder: Holder): Promise<readonly Reader[]> => {
    switch (holder.kind) {
      case 'readers':
        return holder.readers;
      case 'role':
        return roles(`${project}/${holder.roleId}`);
      case 'application':
        return applications(holder.key ?? '');
      case 'lead':
        return leads(project);
      default:
        return [];
    }
  };

  const resolveHolders = async (project: string, holders: readonly Holder[]): Promise<HolderReaders> => {
    const readers = await Promise.all(holders.map((holder) => readersOf(project, holder)));
    const names = (kind: Holder['kind']) => holders.some((holder) => holder.kind === kind);
    return { readers: distinct(readers.flat()), reporter: names('reporter'), assignee: names('assignee') };
  };

  const projects = new Map<string, Promise<HolderReaders>>();
  return {
    ofHolders: resolveHolders,
    ofProject: (project: string): Promise<HolderReaders> => {
      const known =
        projects.get(project) ??
        orNoHolders(api.browsers(call, project)).then((holders) => resolveHolders(project, holders));
      projects.set(project, known);
      return known;
    },
  };
}

const forIssue = ({ readers, reporter, assignee }: HolderReaders, access: IssueAccess): readonly Reader[] => [
  ...readers,
  ...(reporter && access.reporter !== undefined ? [access.reporter] : []),
  ...(assignee && access.assignee !== undefined ? [access.assignee] : []),
];

/**
 * Yields the readers of each issue: those who can browse its project and are also in its security
 * level, if it has one.
 */
export async function* readPermissions(
  context: PermissionContext,
  call: ConnectorCall,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const { api, accounts, site } = context;
  const holders = createHolderReaders(context, call);
  const levels = once((levelId) => orNoHolders(api.securityMembers(call, levelId)));
  const hasLevels = once(async (project) => {
    try {
      return await api.hasSecurityLevels(call, project);
    } catch (error) {
      if (isUnreadable(error)) return true;
      throw error;
    }
  });
  const membersOf = once(async (group) => {
    const members: UserReader[] = [];
    for await (const member of api.members(call, group)) members.push(member);
    return members;
  });

  const readersOf = async (key: string, access: IssueAccess | undefined): Promise<readonly Reader[]> => {
    const project = projectKeyOf(key);
    if (project === undefined || access === undefined) return [];
    const browsers = distinct(forIssue(await holders.ofProject(project), access));
    if (browsers.length === 0 || access.securityLevel === null) return browsers;
    // Jira leaves the field out of projects that hide it. The level is then unknown, unless the
    // project has none.
    if (access.securityLevel === undefined) return (await hasLevels(project)) ? [] : browsers;
    const level = await holders.ofHolders(project, await levels(access.securityLevel));
    return intersect(browsers, distinct(forIssue(level, access)), membersOf);
  };

  const principalsOf = async (readers: readonly Reader[]): Promise<readonly string[]> => {
    if (isEveryone(readers)) return ['public'];
    const users = readers.filter((reader) => reader.kind === 'user');
    const groups = readers.flatMap((reader) =>
      reader.kind === 'group' ? [groupPrincipal('jira', reader.id, site)] : [],
    );
    return [...new Set([...(await accounts.principalsOf(call, users)), ...groups])].sort();
  };

  for (let at = 0; at < refs.length; at += ISSUES_PER_REQUEST) {
    const batch = refs.slice(at, at + ISSUES_PER_REQUEST);
    const keys = batch.map(({ id }) => id).filter((id) => projectKeyOf(id) !== undefined);
    const access = await accessOf(api, call, keys);
    yield* inOrder(batch, CONCURRENT_ISSUES, async ({ id }) => {
      const readers = await orNoReaders(readersOf(id, access.get(id)));
      return { id, principals: await principalsOf(readers) };
    });
  }
}

async function accessOf(api: JiraApi, call: ConnectorCall, keys: readonly string[]) {
  if (keys.length === 0) return new Map<string, IssueAccess>();
  try {
    return await api.access(call, keys);
  } catch (error) {
    if (isUnreadable(error)) return new Map<string, IssueAccess>();
    throw error;
  }
}

/** Yields the groups that can browse a project or are in a security level, with their members. */
export async function* readGroups(
  context: PermissionContext,
  call: ConnectorCall,
): AsyncGenerator<SourceGroup, void, void> {
  const { api, accounts, site } = context;
  const holders = createHolderReaders(context, call);
  const groups = new Set<string>();
  const add = (readers: readonly Reader[]) => {
    for (const reader of readers) if (reader.kind === 'group') groups.add(reader.id);
  };
  let levels: Promise<readonly Holder[]> | undefined;
  for (const { key } of (await api.projects(call, context.projects)).items) {
    const { readers } = await holders.ofProject(key);
    add(readers);
    if (!isEveryone(readers)) continue;
    // Issues of a public project are readable by the groups of their security level.
    levels ??= orNoHolders(api.securityMembers(call, undefined));
    add((await holders.ofHolders(key, await levels)).readers);
  }
  for (const group of groups) {
    const members = await memberPrincipals(accounts, call, api.members(call, group));
    yield { principal: groupPrincipal('jira', group, site), members };
  }
}
