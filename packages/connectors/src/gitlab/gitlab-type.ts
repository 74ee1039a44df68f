import { z } from 'zod';
import { openGitlab } from '#gitlab/gitlab-connector';
import { GITLAB_COM } from '#gitlab/instance-url';
import { GROUP_PATH, PARTS, PROJECT_PATH } from '#gitlab/item-id';
import { defineType } from '#settings/connector-type';
import { serverUrl } from '#settings/server-url';

// Paths are case-insensitive.
const distinct = (paths: readonly string[]): string[] => [
  ...new Map(paths.map((path) => [path.toLowerCase(), path])).values(),
];

const texts = (what: string) =>
  z
    .union([z.string().transform((text) => [text]), z.array(z.string())], `must be a list of ${what}`)
    .transform((list) => [...new Set(list.map((text) => text.trim()).filter((text) => text !== ''))]);

/** A full path, also from the URL of its page. */
const fullPath = (form: RegExp, message: string) =>
  z
    .string()
    .transform((text) => text.replace(/^https?:\/\/[^/]+\//i, '').replace(/(\.git)?\/*$/, ''))
    .pipe(z.string().max(500).regex(form, message));

const projects = texts('projects')
  .pipe(z.array(fullPath(PROJECT_PATH, 'must be the full path of a project, for example group/project')).max(500))
  .transform(distinct);

const groups = texts('groups')
  .pipe(z.array(fullPath(GROUP_PATH, 'must be the full path of a group, for example group/subgroup')).max(100))
  .transform(distinct);

const include = z
  .union([z.enum(PARTS).transform((part) => [part]), z.array(z.enum(PARTS))], `must be a list of ${PARTS.join(', ')}`)
  .pipe(z.array(z.enum(PARTS)).min(1, 'must name a part; omit the field for all'))
  .transform((parts) => [...new Set(parts)]);

const config = z
  .strictObject({
    instanceUrl: serverUrl('must be the URL of the instance, for example https://gitlab.example.com').optional(),
    projects: projects.optional(),
    groups: groups.optional(),
    branch: z.string().trim().min(1, 'must not be empty').max(255).optional(),
    include: include.optional(),
    pathFilter: texts('paths')
      .pipe(z.array(z.string().max(500)).max(200))
      .optional(),
    archived: z.boolean().optional(),
  })
  .superRefine(({ projects: named = [], groups: inGroups = [] }, context) => {
    if (named.length + inGroups.length > 0) return;
    context.addIssue({
      code: 'custom',
      path: ['projects'],
      message: 'must name a project, or groups must name a group',
    });
  });

/** Repositories, issues, merge requests and wikis of GitLab.com or a self-managed instance. */
export const gitlabType = defineType({
  name: 'gitlab',
  acceptsFiles: false,
  endpointFields: ['instanceUrl'],
  config,
  credentials: z.strictObject({
    token: z
      .string()
      .trim()
      .min(1, 'is missing')
      .max(1_000)
      .regex(/^[\x21-\x7e]+$/, 'must be a token without spaces'),
  }),
  open: ({ config: settings, credentials, host }) =>
    openGitlab(
      {
        instanceUrl: settings.instanceUrl ?? GITLAB_COM,
        projects: settings.projects ?? [],
        groups: settings.groups ?? [],
        branch: settings.branch,
        parts: settings.include ?? PARTS,
        pathFilter: settings.pathFilter,
        includesArchived: settings.archived ?? false,
        token: credentials.token,
      },
      host,
    ),
});
