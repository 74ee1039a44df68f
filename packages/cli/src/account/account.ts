import { z } from 'zod';

/** The URL of a Lectern server and a key. */
export const accountSchema = z.object({
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  secretKey: z.string().min(1),
});

export type Account = z.output<typeof accountSchema>;
