import { commitTo, createRepository, type GitFile, type GitRepository } from '#emulators/github/git-model';

type GitlabLevel = 'disabled' | 'private' | 'enabled';
type IssuableKind = 'issues' | 'merge_requests';

interface GitlabUser {
  readonly id: number;
  readonly name: string;
  state: 'active' | 'blocked' | 'banned';
  /** The primary email, which only administrators see. */
  email: string;
  isConfirmed: boolean;
  /** Empty if the person shows none. */
  publicEmail: string;
  isExternal: boolean;
}

export interface GitlabMember {
  readonly user: number;
  /** 5 Minimal Access, 10 Guest, 15 Planner, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. */
  level: number;
  expiresAt?: string | null;
  membershipState?: 'active' | 'awaiting';
  /** True for an enterprise user whose email the token's account can see. */
  showsEmail?: boolean;
}

export interface GitlabNote {
  readonly body: string;
  readonly author: number;
  readonly createdAt: string;
  readonly system?: boolean;
  readonly internal?: boolean;
}

export interface GitlabIssuable {
  readonly iid: number;
  title: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
  author: number;
  assignees: number[];
  /** Only of issues. */
  isConfidential: boolean;
  state: string;
  labels: string[];
  readonly notes: GitlabNote[];
}

export interface GitlabWikiPage {
  title: string;
  content: string;
  format: string;
}

export interface GitlabProject {
  readonly id: number;
  path: string;
  visibility: 'public' | 'internal' | 'private';
  isArchived: boolean;
  /** False if the token must not see it. */
  isVisible: boolean;
  readonly levels: Record<'repository' | 'issues' | 'merge_requests' | 'wiki', GitlabLevel>;
  readonly repository: GitRepository;
  readonly issues: GitlabIssuable[];
  readonly merge_requests: GitlabIssuable[];
  readonly wiki: Map<string, GitlabWikiPage>;
  readonly members: GitlabMember[];
  /** Parts that the token's role must not read. */
  readonly forbidden: Set<'repository' | 'issues' | 'merge_requests' | 'wiki' | 'members'>;
}

export interface GitlabModel {
  readonly projects: GitlabProject[];
  /** Visible groups by full path, with the projects that are shared with them. */
  readonly groups: Map<string, GitlabProject[]>;
  /** Direct members of groups, by full path. Initially none. */
  readonly groupMembers: Map<string, GitlabMember[]>;
  readonly users: Map<number, GitlabUser>;
  /** The new paths of moved projects, by their old ones. */
  readonly redirects: Map<string, string>;
  addUser(id: number, name: string, facts?: Partial<GitlabUser>): GitlabUser;
  /** Adds a project and its groups. */
  addProject(path: string, facts?: Partial<Pick<GitlabProject, 'visibility' | 'isArchived'>>): GitlabProject;
  find(path: string): GitlabProject;
  addIssuable(project: string, kind: IssuableKind, title: string, facts?: Partial<GitlabIssuable>): GitlabIssuable;
  /** Commits to the default branch: content by path, null to delete, or a file with its mode. */
  commit(project: string, changes: Readonly<Record<string, string | null | GitFile>>, branch?: string): string;
}

/** Creates an empty instance. Times of the model differ by at least a millisecond. */
export function createGitlabModel(): GitlabModel {
  const projects: GitlabProject[] = [];
  const groups = new Map<string, GitlabProject[]>();
  const users = new Map<number, GitlabUser>();
  /** The last numbers: those of deleted issues are never used again. */
  const numbers = new Map<string, number>();
  let last = Date.now();
  const now = () => {
    last = Math.max(last + 1, Date.now());
    return new Date(last).toISOString();
  };

  const find: GitlabModel['find'] = (path) => {
    const found = projects.find((project) => project.path === path);
    if (found === undefined) throw new Error(`There is no project ${path}.`);
    return found;
  };

  return {
    projects,
    groups,
    groupMembers: new Map(),
    users,
    redirects: new Map(),
    find,
    addUser: (id, name, facts = {}) => {
      const email = `${name.toLowerCase()}@example.com`;
      const user = { id, name, state: 'active', email, isConfirmed: true, publicEmail: '', isExternal: false } as const;
      const added = { ...user, ...facts };
      users.set(id, added);
      return added;
    },
    addProject: (path, facts = {}) => {
      const segments = path.split('/');
      for (let count = 1; count < segments.length; count += 1) {
        const group = segments.slice(0, count).join('/');
        if (!groups.has(group)) groups.set(group, []);
      }
      const project: GitlabProject = {
        ...{ id: 100 + projects.length, path, visibility: 'private', isArchived: false, isVisible: true },
        levels: { repository: 'enabled', issues: 'enabled', merge_requests: 'enabled', wiki: 'enabled' },
        repository: createRepository(path),
        ...{ issues: [], merge_requests: [], wiki: new Map(), members: [], forbidden: new Set() },
        ...facts,
      };
      projects.push(project);
      return project;
    },
    addIssuable: (path, kind, title, facts = {}) => {
      const list = find(path)[kind];
      const createdAt = now();
      const iid = (numbers.get(`${path} ${kind}`) ?? 0) + 1;
      numbers.set(`${path} ${kind}`, iid);
      const added: GitlabIssuable = {
        ...{ iid, title, description: null, createdAt, updatedAt: createdAt, author: 1, assignees: [] },
        ...{ isConfidential: false, state: 'opened', labels: [], notes: [] },
        ...facts,
      };
      list.push(added);
      return added;
    },
    commit: (path, changes, branch) => {
      const { repository } = find(path);
      return commitTo(repository, branch ?? repository.defaultBranch, (files) => {
        for (const [file, content] of Object.entries(changes)) {
          if (content === null) files.delete(file);
          else files.set(file, typeof content === 'string' ? { bytes: Buffer.from(content), mode: '100644' } : content);
        }
      });
    },
  };
}
