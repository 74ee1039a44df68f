import { z } from 'zod';
import { type Part, PROJECT_PATH } from '#gitlab/item-id';

/** A time with the offset of the instance's time zone, as UTC. */
const Time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'is not a time')
  .transform((text) => new Date(text).toISOString());

const Sha = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, 'is not a hash');
/** A number, which some proxies and older versions write as a text. */
const Int = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);
const Iid = Int.refine((value) => value > 0, 'is not a positive number');

/** The address of a page; undefined if it is missing or no address for browsers. */
const PageUrl = z
  .string()
  .nullish()
  .transform((text) => (text && /^https?:\/\//i.test(text) ? text : undefined));

/** https://docs.gitlab.com/api/projects/#retrieve-a-project */
export const ProjectV4 = z
  .object({
    id: Iid,
    path_with_namespace: z.string().regex(PROJECT_PATH, 'is not the path of a project'),
    web_url: PageUrl,
    default_branch: z.string().nullish(),
    visibility: z.string().nullish(),
    archived: z.boolean().nullish(),
    empty_repo: z.boolean().nullish(),
    repository_access_level: z.string().nullish(),
    issues_access_level: z.string().nullish(),
    merge_requests_access_level: z.string().nullish(),
    wiki_access_level: z.string().nullish(),
  })
  .transform(
    (project): Project => ({
      id: project.id,
      path: project.path_with_namespace,
      url: project.web_url,
      branch: project.default_branch || undefined,
      visibility: project.visibility ?? undefined,
      isArchived: project.archived === true,
      isEmpty: project.empty_repo === true,
      levels: {
        repository: project.repository_access_level ?? undefined,
        issues: project.issues_access_level ?? undefined,
        merge_requests: project.merge_requests_access_level ?? undefined,
        wiki: project.wiki_access_level ?? undefined,
      },
    }),
  );

export interface Project {
  readonly id: number;
  /** The full path. */
  readonly path: string;
  readonly url: string | undefined;
  readonly branch: string | undefined;
  readonly visibility: string | undefined;
  readonly isArchived: boolean;
  /** True if the repository has no commits. */
  readonly isEmpty: boolean;
  /** Who can access each part: `disabled`, `private` (members) or `enabled` (everyone who can see the project). */
  readonly levels: Readonly<Record<Part, string | undefined>>;
}

export const CommitV4 = z.object({ id: Sha });

/** https://docs.gitlab.com/api/repositories/#list-all-repository-trees-in-a-project */
export const TreeEntryV4 = z.object({ id: Sha, path: z.string().min(1), type: z.string(), mode: z.string().nullish() });
export type TreeEntry = z.infer<typeof TreeEntryV4>;

export const UserV4 = z.object({ id: Int, name: z.string().nullish(), state: z.string().nullish() });
export type User = z.infer<typeof UserV4>;

/**
 * An issue or a merge request.
 * https://docs.gitlab.com/api/issues/ https://docs.gitlab.com/api/merge_requests/
 */
export const IssuableV4 = z.object({
  iid: Iid,
  title: z.string().nullish(),
  description: z.string().nullish(),
  state: z.string().nullish(),
  issue_type: z.string().nullish(),
  labels: z.array(z.string()).nullish(),
  milestone: z.object({ title: z.string().nullish() }).nullish(),
  created_at: Time,
  updated_at: Time,
  author: UserV4.nullish(),
  assignees: z.array(UserV4).nullish(),
  web_url: PageUrl,
  source_branch: z.string().nullish(),
  target_branch: z.string().nullish(),
});
export type Issuable = z.infer<typeof IssuableV4>;

/** The fields of an issue that decide who can read it. */
export const IssueAccessV4 = z.object({
  iid: Iid,
  confidential: z.boolean().nullish(),
  author: UserV4.nullish(),
  assignees: z.array(UserV4).nullish(),
});
export type IssueAccess = z.infer<typeof IssueAccessV4>;

/** https://docs.gitlab.com/api/notes/ */
export const NoteV4 = z.object({
  id: Int,
  body: z.string().nullish(),
  author: UserV4.nullish(),
  created_at: Time,
  system: z.unknown().optional(),
  /** True for internal notes, which only members from Planner or Reporter can read. */
  internal: z.unknown().optional(),
  /** The earlier name of `internal`. */
  confidential: z.unknown().optional(),
});
export type Note = z.infer<typeof NoteV4>;

/** https://docs.gitlab.com/api/wikis/ */
export const WikiPageV4 = z.object({
  slug: z.string().min(1),
  title: z.string().nullish(),
  format: z.string().nullish(),
  content: z.string().nullish(),
});
export type WikiPage = z.infer<typeof WikiPageV4>;

/** https://docs.gitlab.com/api/project_members/ */
export const MemberV4 = z.object({
  id: Int,
  state: z.string(),
  access_level: Int,
  /** A date; access ends when it begins. */
  expires_at: z.string().nullish(),
  /** `awaiting` for members without a seat. */
  membership_state: z.string().nullish(),
  /** Visible only for enterprise users, to owners of their group. */
  email: z.string().nullish(),
});

/** https://docs.gitlab.com/api/users/#as-an-administrator */
export const DirectoryUserV4 = z.object({
  id: Int,
  state: z.string().nullish(),
  external: z.boolean().nullish(),
  email: z.string().nullish(),
  confirmed_at: z.string().nullish(),
});
