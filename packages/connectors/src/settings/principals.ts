import { toPrincipal } from '@lectern/service-kit';
import { z } from 'zod';

/** `config.principals` of sources that do not say who may read: who may read all of the connector's documents. */
export const principals = z
  .array(
    z.string().transform((text, context) => {
      const principal = toPrincipal(text);
      if (principal !== undefined) return principal;
      context.addIssue({ code: 'custom', message: 'must be public, user:<e-mail> or group:…' });
      return z.NEVER;
    }),
  )
  .min(1, 'must name someone; leave it out for public')
  .max(100);
