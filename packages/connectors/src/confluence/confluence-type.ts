import { z } from 'zod';
import { openConfluence } from '#confluence/confluence-connector';
import { defineType } from '#settings/connector-type';

const spaceKeys = z
  .union([z.string().transform((key) => [key]), z.array(z.string())], 'must be a list of space keys')
  .transform((keys) => [...new Set(keys.map((key) => key.trim()).filter((key) => key !== ''))])
  .pipe(
    z
      .array(
        z
          .string()
          .max(255)
          .regex(/^[^\s/]+$/, 'must be a space key, for example DOCS'),
      )
      .max(1_000),
  );

const instanceUrl = z
  .url({ protocol: /^https?$/, error: 'must be the URL of the site, for example https://example.atlassian.net' })
  .max(2_048)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  }, 'must not contain a user, password, query or fragment');

const secret = z.string().trim().min(1, 'must not be empty').max(4_096);

/** Pages of Confluence, Cloud or Data Center, and their attachments. */
export const confluenceType = defineType({
  name: 'confluence',
  acceptsFiles: false,
  endpointFields: ['instanceUrl'],
  config: z.strictObject({ instanceUrl, spaceKeys: spaceKeys.optional() }),
  credentials: z
    .strictObject({
      email: z.email('must be an email address').optional(),
      apiToken: secret.optional(),
      token: secret.optional(),
    })
    .superRefine(({ email, apiToken, token }, context) => {
      const cloud = email !== undefined || apiToken !== undefined;
      if (cloud && token !== undefined) {
        context.addIssue({
          code: 'custom',
          path: ['token'],
          message: 'is for Data Center, without email and apiToken',
        });
      } else if (cloud && email === undefined) {
        context.addIssue({ code: 'custom', path: ['email'], message: 'is required with apiToken' });
      } else if (cloud && apiToken === undefined) {
        context.addIssue({ code: 'custom', path: ['apiToken'], message: 'is required with email' });
      } else if (!cloud && token === undefined) {
        context.addIssue({
          code: 'custom',
          path: ['email'],
          message: 'is required, with apiToken (Cloud); or token (Data Center)',
        });
      }
    }),
  open: ({ config, credentials, host }) => {
    const { email, apiToken, token = '' } = credentials;
    const login = email !== undefined && apiToken !== undefined ? { email, apiToken } : { token };
    const { instanceUrl: url, spaceKeys: keys = [] } = config;
    return openConfluence({ instanceUrl: url, spaceKeys: keys, credentials: login }, host);
  },
});
