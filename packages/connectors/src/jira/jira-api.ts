import type { ConnectorCall } from '#connector';
import type { Entries, UnreadableEntry } from '#http/entries';
import type { Account, Reader, UserReader } from '#readers/reader';

export interface Project {
  readonly key: string;
}

/** An issue in a list. */
export interface ListedIssue {
  readonly key: string;
  readonly summary: string;
  /** ISO 8601 in UTC. */
  readonly updatedAt: string;
  /** The name of the reporter. */
  readonly author: string | undefined;
}

/** Text that people wrote: rendered HTML, or the stored text if Jira did not render it. */
export type RichText = { readonly html: string } | { readonly plain: string };

export interface Issue extends ListedIssue {
  readonly description: RichText | undefined;
  readonly type: string | undefined;
  readonly status: string | undefined;
  readonly priority: string | undefined;
  readonly labels: readonly string[];
  readonly components: readonly string[];
  readonly assignee: string | undefined;
  readonly reporter: string | undefined;
}

export interface IssueComment {
  readonly author: string | undefined;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly text: RichText;
}

export interface IssueComments {
  /** Comments that everyone who can read the issue can read, the oldest first. */
  readonly comments: readonly IssueComment[];
  /** The number of comments beyond the limit. */
  readonly omitted: number;
}

/** One page of a search. */
export interface Slice {
  readonly items: readonly ListedIssue[];
  readonly unreadable: readonly UnreadableEntry[];
  /** The position of the next page. */
  readonly next: string | undefined;
}

/** What decides who can read an issue, apart from its project. */
export interface IssueAccess {
  /** The id of the security level; null without one, undefined if Jira does not return the field. */
  readonly securityLevel: string | null | undefined;
  readonly reporter: UserReader | undefined;
  readonly assignee: UserReader | undefined;
}

/** Whom a permission scheme or a security level names. */
export type Holder =
  | { readonly kind: 'readers'; readonly readers: readonly Reader[] }
  | { readonly kind: 'role'; readonly roleId: string }
  /** Everyone with access to an application of Jira; to any of them without a key. */
  | { readonly kind: 'application'; readonly key: string | undefined }
  | { readonly kind: 'lead' | 'reporter' | 'assignee' };

/**
 * Requests to an instance, Cloud or Data Center. All methods throw `SourceError`. Null means that
 * the issue does not exist or is hidden; Jira does not distinguish these.
 */
export interface JiraApi {
  /** Throws `auth` if Jira does not accept the credentials. */
  checkLogin(call: ConnectorCall): Promise<void>;
  /** Returns the address of the site for browsers. */
  siteUrl(call: ConnectorCall): Promise<string>;
  /** Returns all visible projects, or those with these keys. */
  projects(call: ConnectorCall, keys: readonly string[]): Promise<Entries<Project>>;
  search(call: ConnectorCall, jql: string, next?: string): Promise<Slice>;
  /** Returns true if the issue exists and matches the filter now. */
  matches(call: ConnectorCall, key: string, filter: string): Promise<boolean>;
  issue(call: ConnectorCall, key: string): Promise<Issue | null>;
  comments(call: ConnectorCall, key: string): Promise<IssueComments>;
  /** By key, without issues that do not exist. */
  access(call: ConnectorCall, keys: readonly string[]): Promise<ReadonlyMap<string, IssueAccess>>;
  /** Returns everyone with the permission to browse a project. */
  browsers(call: ConnectorCall, projectKey: string): Promise<readonly Holder[]>;
  roleMembers(call: ConnectorCall, projectKey: string, roleId: string): Promise<readonly Reader[]>;
  applicationGroups(call: ConnectorCall, key: string | undefined): Promise<readonly Reader[]>;
  lead(call: ConnectorCall, projectKey: string): Promise<readonly Reader[]>;
  /** True if issues of the project can have a security level. */
  hasSecurityLevels(call: ConnectorCall, projectKey: string): Promise<boolean>;
  /** Returns everyone in a security level, or in any level. Data Center does not return them: empty. */
  securityMembers(call: ConnectorCall, levelId: string | undefined): Promise<readonly Holder[]>;
  members(call: ConnectorCall, groupId: string): AsyncGenerator<UserReader, void, void>;
  /** Names and emails by account id, without unknown accounts. */
  accounts(call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
}
