import { z } from 'zod';

/** A token that is sent in a header. */
export const accessToken = z
  .string()
  .trim()
  .min(1, 'is missing')
  .max(1_000)
  .regex(/^[\x21-\x7e]+$/, 'must be a token without spaces');
