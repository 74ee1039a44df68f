import { z } from 'zod';

/** The tokens of an authorisation, as they are sealed. */
export const tokensSchema = z.object({
  accessToken: z.string(),
  /** Absent where the provider gives tokens that do not expire. */
  refreshToken: z.string().optional(),
  /** ISO 8601; absent where the provider does not say. */
  expiresAt: z.string().optional(),
});

export type Tokens = z.output<typeof tokensSchema>;

/** A token this close to its end is renewed first: it must last for the request that it is taken for. */
const MARGIN_MS = 60_000;

/** True while the token is good as far as is known. */
export function isFresh({ expiresAt }: Tokens, now = Date.now()): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) - now > MARGIN_MS;
}
