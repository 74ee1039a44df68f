import { z } from 'zod';
import { defineType } from '#settings/connector-type';
import { webConfig } from '#web/web-config';
import { openWeb } from '#web/web-connector';

/** Public websites, crawled politely. */
export const webType = defineType({
  name: 'web',
  acceptsFiles: false,
  config: webConfig,
  credentials: z.strictObject({}),
  open: ({ config, host }) => openWeb(config, host),
});
