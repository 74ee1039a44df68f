import { z } from 'zod';
import { defineType } from '#settings/connector-type';
import { principals } from '#settings/principals';
import { openUpload } from '#upload/upload-connector';

/** Files uploaded to Lectern. */
export const uploadType = defineType({
  name: 'upload',
  acceptsFiles: true,
  config: z.strictObject({ principals: principals.optional() }),
  credentials: z.strictObject({}),
  open: ({ host }) => openUpload(host),
});
