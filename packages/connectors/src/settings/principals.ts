import { toPrincipal } from '@lectern/contracts';
import { z } from 'zod';

/**
 * `config.principals`, for sources without permissions: who can read all documents of the
 * connector.
 */
export const principals = z
  .array(
    z.string().transform((text, context) => {
      const principal = toPrincipal(text);
      if (principal !== undefined) return principal;
      context.addIssue({ code: 'custom', message: 'must be public, user:<email> or group:…' });
      return z.NEVER;
    }),
  )
  .min(1, 'must contain a principal; omit the field for public')
  .max(100);
