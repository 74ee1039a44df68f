import { z } from 'zod';
import { defineType } from '../settings/connector-type.ts';
import { principals } from '../settings/principals.ts';
import { openUpload } from './upload-connector.ts';

/** Files uploaded to Lectern. */
export const uploadType = defineType({
  name: 'upload',
  acceptsFiles: true,
  config: z.strictObject({ principals: principals.optional() }),
  credentials: z.strictObject({}),
  open: ({ host }) => openUpload(host),
});
