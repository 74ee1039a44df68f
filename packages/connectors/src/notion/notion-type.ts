import { z } from 'zod';
import { NOTION_VERSION } from '#notion/notion-api';
import { openNotion } from '#notion/notion-connector';
import { defineType } from '#settings/connector-type';
import { principals } from '#settings/principals';

/**
 * Shared pages of a Notion workspace and rows of its databases. Notion's API has no read
 * permissions.
 */
export const notionType = defineType({
  name: 'notion',
  acceptsFiles: false,
  oauth: {
    authorizeParameters: { owner: 'user' },
    pkce: false,
    clientAuthentication: 'basic',
    tokenRequest: 'json',
    tokenHeaders: { 'notion-version': NOTION_VERSION },
  },
  config: z.strictObject({ principals: principals.optional() }),
  credentials: z.strictObject({}),
  open: ({ host }) => openNotion(host),
});
