import { z } from 'zod';
import { openGithub } from '#github/github-connector';
import { accessToken } from '#settings/access-token';
import { defineType } from '#settings/connector-type';
import { distinctNames, pathPatterns, textList } from '#settings/text-list';

const REPO = /^[A-Za-z0-9][A-Za-z0-9_-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

/** `owner/repo`, also from the URL of the repository. */
const repo = z
  .string()
  .transform((text) => text.replace(/^https?:\/\/[^/]+\//, '').replace(/(\.git)?\/*$/, ''))
  .pipe(z.string().max(200).regex(REPO, 'must be owner/repo'));

/** Files of repositories on GitHub or the operator's GitHub Enterprise Server. */
export const githubType = defineType({
  name: 'github',
  acceptsFiles: false,
  config: z.strictObject({
    repos: textList('repositories')
      .pipe(z.array(repo).min(1, 'must name a repository').max(500))
      .transform(distinctNames),
    branch: z.string().trim().min(1, 'must not be empty').max(255).optional(),
    pathFilter: pathPatterns.optional(),
  }),
  credentials: z.strictObject({
    token: accessToken,
  }),
  open: ({ config, credentials, host }) => openGithub(config, credentials, host),
});
