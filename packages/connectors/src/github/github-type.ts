import { z } from 'zod';
import { openGithub } from '#github/github-connector';
import { defineType } from '#settings/connector-type';

const REPO = /^[A-Za-z0-9][A-Za-z0-9_-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

// GitHub names are case-insensitive.
const distinct = (repos: readonly string[]): string[] => [
  ...new Map(repos.map((name) => [name.toLowerCase(), name])).values(),
];

const texts = (what: string) =>
  z
    .union([z.string().transform((text) => [text]), z.array(z.string())], `must be a list of ${what}`)
    .transform((list) => [...new Set(list.map((text) => text.trim()).filter((text) => text !== ''))]);

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
    repos: texts('repositories').pipe(z.array(repo).min(1, 'must name a repository').max(500)).transform(distinct),
    branch: z.string().trim().min(1, 'must not be empty').max(255).optional(),
    pathFilter: texts('paths')
      .pipe(z.array(z.string().max(500)).max(200))
      .optional(),
  }),
  credentials: z.strictObject({
    token: z
      .string()
      .trim()
      .min(1, 'is missing')
      .max(1_000)
      .regex(/^[\x21-\x7e]+$/, 'must be a token without spaces'),
  }),
  open: ({ config, credentials, host }) => openGithub(config, credentials, host),
});
