import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { parseServiceAccount, type ServiceAccount } from '#google/service-account';
import type { OAuthProvider } from '#oauth/oauth-provider';

export const address = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
  .transform((text) => text.toLowerCase());

/** A list of addresses, or one as a string. */
export const addressList = (what: string) =>
  z
    .union([address.transform((text) => [text]), z.array(address)], `must be a list of addresses of ${what}`)
    .transform((addresses) => [...new Set(addresses)])
    .pipe(z.array(z.string()).max(1_000));

const serviceAccountKey = z
  .string()
  .max(16_384)
  .superRefine((text, context) => {
    const account = parseServiceAccount(text);
    if (typeof account === 'string') context.addIssue({ code: 'custom', message: account });
  });

/** The credentials of a service account with domain-wide delegation; none for an authorization by a user. */
export const serviceAccountCredentials = z
  .strictObject({ serviceAccountKey: serviceAccountKey.optional(), adminEmail: address.optional() })
  .superRefine(({ serviceAccountKey: key, adminEmail }, context) => {
    if (key === undefined && adminEmail !== undefined) {
      context.addIssue({ code: 'custom', path: ['serviceAccountKey'], message: 'is required with adminEmail' });
    }
    if (key !== undefined && adminEmail === undefined) {
      context.addIssue({ code: 'custom', path: ['adminEmail'], message: 'is required with serviceAccountKey' });
    }
  });

export interface DomainAccess {
  readonly account: ServiceAccount;
  /** The administrator to act as for the directory, in lower case. */
  readonly adminEmail: string;
}

/**
 * Returns the access of a service account; undefined without one. Then throws for config fields that
 * need it: a limit that has no effect must not look like one.
 */
export function domainAccess(
  { serviceAccountKey: key, adminEmail }: z.infer<typeof serviceAccountCredentials>,
  needed: Readonly<Record<string, readonly unknown[]>>,
): DomainAccess | undefined {
  if (key === undefined || adminEmail === undefined) {
    const fields = Object.keys(needed).filter((field) => (needed[field]?.length ?? 0) > 0);
    if (fields.length === 0) return undefined;
    throw invalidRequest(
      fields.map((field) => ({ path: `config.${field}`, message: 'can be used only with a service account' })),
    );
  }
  const account = parseServiceAccount(key);
  if (typeof account !== 'string') return { account, adminEmail };
  throw invalidRequest([{ path: 'credentials.serviceAccountKey', message: account }]);
}

/** How a user authorizes a type for one scope. */
export const googleOAuth = (scope: string): OAuthProvider => ({
  authorizeParameters: {
    scope,
    access_type: 'offline',
    // Without it, Google returns a refresh token only the first time.
    prompt: 'consent',
  },
  pkce: true,
  clientAuthentication: 'body',
  tokenRequest: 'form',
});
