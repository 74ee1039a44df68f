import { z } from 'zod';
import { defineType } from '../settings/connector-type.ts';
import { principals } from '../settings/principals.ts';
import { NOTION_VERSION } from './notion-api.ts';
import { openNotion } from './notion-connector.ts';

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
