import { z } from 'zod';
import { openConfluence } from '#confluence/confluence-connector';
import { atlassianCredentials, loginOf, siteUrl } from '#settings/atlassian-settings';
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

/** Pages of Confluence, Cloud or Data Center, and their attachments. */
export const confluenceType = defineType({
  name: 'confluence',
  acceptsFiles: false,
  endpointFields: ['instanceUrl'],
  config: z.strictObject({ instanceUrl: siteUrl, spaceKeys: spaceKeys.optional() }),
  credentials: atlassianCredentials,
  open: ({ config, credentials, host }) => {
    const { instanceUrl: url, spaceKeys: keys = [] } = config;
    return openConfluence({ instanceUrl: url, spaceKeys: keys, credentials: loginOf(credentials) }, host);
  },
});
