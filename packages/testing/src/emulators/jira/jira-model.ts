/** The data of the Jira emulator. Tests change it with these functions, also during a listing. */

/** Whom a permission scheme or a security level names. */
export interface HolderModel {
  readonly type:
    | 'anyone'
    | 'user'
    | 'group'
    | 'projectRole'
    | 'applicationRole'
    | 'projectLead'
    | 'reporter'
    | 'assignee'
    | 'userCustomField'
    | 'sd.customer.portal.only';
  /** The id of an account, group or role, or the key of an application. */
  readonly id?: string;
}

interface RoleModel {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

interface ProjectModel {
  readonly id: string;
  key: string;
  name: string;
  leadId: string;
  /** Who has the permission to browse the project. */
  browsers: readonly HolderModel[];
  /** Members by the id of the role. */
  roles: Readonly<Record<string, RoleModel>>;
  hasSecurityScheme: boolean;
}

export interface CommentModel {
  readonly id: string;
  authorId: string;
  when: string;
  body: string;
  /** The role or group to which the comment is restricted. */
  visibility: { readonly type: 'role' | 'group'; readonly value: string } | undefined;
  /** False for internal comments of a service project. */
  isPublic: boolean;
}

export interface IssueModel {
  readonly id: string;
  key: string;
  summary: string;
  /** Stored text. */
  description: string | undefined;
  /** Rendered HTML; if undefined, Jira does not render the description. */
  rendered: string | undefined;
  type: string;
  status: string;
  priority: string;
  labels: readonly string[];
  components: readonly string[];
  assigneeId: string | undefined;
  reporterId: string | undefined;
  created: string;
  updated: string;
  /** The id of the security level. */
  securityLevel: string | undefined;
  comments: CommentModel[];
}

interface AccountModel {
  readonly id: string;
  readonly name: string;
  /** Undefined if the person hides it. */
  readonly email: string | undefined;
  readonly username: string;
}

interface GroupModel {
  readonly id: string;
  readonly name: string;
  members: readonly string[];
}

export interface JiraModel {
  readonly projects: Map<string, ProjectModel>;
  /** By id. */
  readonly issues: Map<string, IssueModel>;
  readonly accounts: Map<string, AccountModel>;
  readonly groups: Map<string, GroupModel>;
  /** Members by the id of the security level. */
  readonly securityLevels: Map<string, readonly HolderModel[]>;
  /** Ids of groups by the key of the application. */
  readonly applications: Map<string, readonly string[]>;
  addProject(key: string, more?: Partial<Omit<ProjectModel, 'id' | 'key'>>): ProjectModel;
  addIssue(projectKey: string, summary: string, more?: Partial<Omit<IssueModel, 'id' | 'key' | 'summary'>>): IssueModel;
  /** Returns the issue with this key, also if it had the key before it moved. */
  find(key: string): IssueModel | undefined;
  edit(key: string, change: Partial<Omit<IssueModel, 'id' | 'key'>>): void;
  move(key: string, projectKey: string): IssueModel;
  remove(key: string): void;
  comment(key: string, body: string, more?: Partial<Omit<CommentModel, 'id' | 'body'>>): CommentModel;
  addAccount(id: string, name: string, email?: string): AccountModel;
  addGroup(id: string, name: string, members: readonly string[]): GroupModel;
}

export function createJiraModel(): JiraModel {
  const projects = new Map<string, ProjectModel>();
  const issues = new Map<string, IssueModel>();
  const accounts = new Map<string, AccountModel>();
  const groups = new Map<string, GroupModel>();
  const numbers = new Map<string, number>();
  const formerKeys = new Map<string, string>();
  let lastId = 10_000;
  const nextId = () => String(++lastId);
  // Changes are a second apart, so that they differ.
  const now = () => new Date(Date.UTC(2026, 0, 1) + lastId * 1_000).toISOString();
  const nextKey = (projectKey: string) => {
    const number = (numbers.get(projectKey) ?? 0) + 1;
    numbers.set(projectKey, number);
    return `${projectKey}-${number}`;
  };
  const find = (key: string) =>
    [...issues.values()].find((issue) => issue.key === key) ?? issues.get(formerKeys.get(key) ?? '');
  const must = (key: string) => {
    const issue = find(key);
    if (issue === undefined) throw new Error(`There is no issue ${key}.`);
    return issue;
  };

  const model: JiraModel = {
    projects,
    issues,
    accounts,
    groups,
    find,
    securityLevels: new Map(),
    applications: new Map(),
    addProject: (key, more = {}) => {
      const project: ProjectModel = {
        id: nextId(),
        key,
        name: `Project ${key}`,
        leadId: 'account-ada',
        browsers: [],
        roles: {},
        hasSecurityScheme: true,
        ...more,
      };
      projects.set(key, project);
      return project;
    },
    addIssue: (projectKey, summary, more = {}) => {
      const id = nextId();
      const when = more.updated ?? now();
      const issue: IssueModel = {
        id,
        key: nextKey(projectKey),
        summary,
        description: undefined,
        rendered: undefined,
        type: 'Task',
        status: 'Open',
        priority: 'Medium',
        labels: [],
        components: [],
        assigneeId: undefined,
        reporterId: 'account-ada',
        created: when,
        updated: when,
        securityLevel: undefined,
        comments: [],
        ...more,
      };
      issues.set(id, issue);
      return issue;
    },
    edit: (key, change) => {
      nextId();
      Object.assign(must(key), { updated: now(), ...change });
    },
    move: (key, projectKey) => {
      const issue = must(key);
      nextId();
      formerKeys.set(key, issue.id);
      Object.assign(issue, { key: nextKey(projectKey), updated: now() });
      return issue;
    },
    remove: (key) => {
      issues.delete(must(key).id);
    },
    comment: (key, body, more = {}) => {
      const comment: CommentModel = {
        id: nextId(),
        authorId: 'account-ada',
        when: now(),
        body,
        visibility: undefined,
        isPublic: true,
        ...more,
      };
      const issue = must(key);
      issue.comments.push(comment);
      issue.updated = comment.when;
      return comment;
    },
    addAccount: (id, name, email) => {
      const account: AccountModel = { id, name, email, username: id.replace(/^account-/, '') };
      accounts.set(id, account);
      return account;
    },
    addGroup: (id, name, members) => {
      const group: GroupModel = { id, name, members };
      groups.set(id, group);
      return group;
    },
  };
  model.addAccount('account-ada', 'Ada Lovelace', 'ada@example.com');
  return model;
}
