import { z } from 'zod';
import { openGitlab } from '#gitlab/gitlab-connector';
import { GITLAB_COM } from '#gitlab/instance-url';
import { GROUP_PATH, PARTS, PROJECT_PATH } from '#gitlab/item-id';
import { accessToken } from '#settings/access-token';
import { defineType } from '#settings/connector-type';
import { serverUrl } from '#settings/server-url';
import { distinctNames, pathPatterns, textList } from '#settings/text-list';

/** A full path, also from the URL of its page. */
const fullPath = (form: RegExp, message: string) =>
  z
    .string()
    .transform((text) => text.replace(/^https?:\/\/[^/]+\//i, '').replace(/(\.git)?\/*$/, ''))
    .pipe(z.string().max(500).regex(form, message));

const projects = textList('projects')
  .pipe(z.array(fullPath(PROJECT_PATH, 'must be the full path of a project, for example group/project')).max(500))
  .transform(distinctNames);

const groups = textList('groups')
  .pipe(z.array(fullPath(GROUP_PATH, 'must be the full path of a group, for example group/subgroup')).max(100))
  .transform(distinctNames);

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
    pathFilter: pathPatterns.optional(),
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
    token: accessToken,
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
