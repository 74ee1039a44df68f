import type { SourceHttpOptions } from '#http/source-http';
import { SourceError } from '#source-error';

/** Authorizes requests with credentials that do not expire. Repeated failures could lock the account. */
export const fixedAuthorization =
  (authorization: string, platform: string): NonNullable<SourceHttpOptions['authorize']> =>
  async (_call, rejected) => {
    if (!rejected) return { authorization };
    throw new SourceError('auth', `${platform} rejected the credentials. Update the credentials of the connector.`);
  };
