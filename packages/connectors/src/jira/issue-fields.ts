import { z } from 'zod';
import { isIssueKey } from '#jira/issue-key';
import type { Issue, IssueComment, ListedIssue, RichText } from '#jira/jira-api';
import { Id } from '#jira/jira-http';
import type { UserReader } from '#readers/reader';

/** Schemas of version 2 of the REST API, which Cloud and Data Center share. */

export const UserV2 = z.object({
  accountId: z.string().nullish(),
  key: z.string().nullish(),
  name: z.string().nullish(),
  emailAddress: z.string().nullish(),
  displayName: z.string().nullish(),
});
export type UserV2 = z.infer<typeof UserV2>;

const Named = z.object({ name: z.string().nullish() }).nullish();

/** A time with the offset of the account's time zone, as UTC. */
const Time = z
  .string()
  .transform((text) => new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')))
  .refine((time) => !Number.isNaN(time.getTime()), 'is not a time')
  .transform((time) => time.toISOString());

const IssueKey = z.string().refine(isIssueKey, 'is not the key of an issue');

/** The fields of each list. */
export const LISTED_FIELDS = ['summary', 'updated', 'reporter'] as const;

const listedFields = {
  summary: z.string().nullish(),
  updated: Time,
  reporter: UserV2.nullish(),
};

export const ListedIssueV2 = z.object({ key: IssueKey, fields: z.object(listedFields) });

export const ISSUE_FIELDS = [
  ...LISTED_FIELDS,
  ...['description', 'issuetype', 'status', 'priority', 'labels', 'components', 'assignee'],
] as const;

export const IssueV2 = z.object({
  key: IssueKey,
  fields: z.object({
    ...listedFields,
    description: z.unknown().optional(),
    issuetype: Named,
    status: Named,
    priority: Named,
    labels: z.array(z.string()).nullish(),
    components: z.array(z.object({ name: z.string() })).nullish(),
    assignee: UserV2.nullish(),
  }),
  renderedFields: z.object({ description: z.string().nullish() }).nullish(),
});

export const CommentV2 = z.object({
  id: Id,
  author: UserV2.nullish(),
  created: Time,
  body: z.unknown().optional(),
  renderedBody: z.string().nullish(),
  /** The role or group to which the comment is restricted. */
  visibility: z.unknown().optional(),
  /** False for internal comments of a service project. */
  jsdPublic: z.unknown().optional(),
});

/** Comments that some readers of the issue cannot read. */
export const isRestricted = ({ visibility, jsdPublic }: z.infer<typeof CommentV2>): boolean =>
  (visibility !== undefined && visibility !== null) || (jsdPublic ?? true) !== true;

const nameOf = (user: UserV2 | null | undefined): string | undefined => user?.displayName || undefined;

/** The id of an account: `accountId` on Cloud, the key on Data Center. */
const accountIdOf = (user: UserV2): string | undefined => user.accountId ?? user.key ?? user.name ?? undefined;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Returns the email if it is visible. User names of Data Center are often emails. */
const emailOf = (user: UserV2): string | undefined =>
  [user.emailAddress, user.name].find((text): text is string => typeof text === 'string' && EMAIL.test(text));

export function userReader(user: UserV2 | null | undefined): readonly UserReader[] {
  const id = user ? accountIdOf(user) : undefined;
  return !user || id === undefined ? [] : [{ kind: 'user', id, email: emailOf(user) }];
}

export const listedIssue = ({ key, fields }: z.infer<typeof ListedIssueV2>): ListedIssue => ({
  key,
  summary: (fields.summary ?? '').trim(),
  updatedAt: fields.updated,
  author: nameOf(fields.reporter),
});

function richText(rendered: string | null | undefined, stored: unknown): RichText | undefined {
  if (rendered) return { html: rendered };
  return typeof stored === 'string' && stored.trim() !== '' ? { plain: stored } : undefined;
}

export function fullIssue(issue: z.infer<typeof IssueV2>): Issue {
  const { fields, renderedFields } = issue;
  return {
    ...listedIssue(issue),
    description: richText(renderedFields?.description, fields.description),
    type: fields.issuetype?.name ?? undefined,
    status: fields.status?.name ?? undefined,
    priority: fields.priority?.name ?? undefined,
    labels: fields.labels ?? [],
    components: (fields.components ?? []).map(({ name }) => name),
    assignee: nameOf(fields.assignee),
    reporter: nameOf(fields.reporter),
  };
}

export function issueComment(comment: z.infer<typeof CommentV2>): readonly IssueComment[] {
  const text = richText(comment.renderedBody, comment.body);
  if (text === undefined) return [];
  return [{ author: nameOf(comment.author), createdAt: comment.created, text }];
}
