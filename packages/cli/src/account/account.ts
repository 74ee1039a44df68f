import { z } from 'zod';

/** Where Lectern is, and the key to it. */
export const accountSchema = z.object({
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  secretKey: z.string().min(1),
});

export type Account = z.output<typeof accountSchema>;
