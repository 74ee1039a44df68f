import { z } from 'zod';
import { openCustom } from '#custom/custom-connector';
import { defineType } from '#settings/connector-type';
import { principals } from '#settings/principals';

/** Items that a team pushes to Lectern. */
export const customType = defineType({
  name: 'custom',
  acceptsFiles: false,
  acceptsItems: true,
  config: z.strictObject({ principals: principals.optional() }),
  credentials: z.strictObject({}),
  open: ({ config, host }) => openCustom(host, config.principals ?? ['public']),
});
