import type { Access } from '#operation';

const IN_HEADER = { type: 'apiKey', in: 'header', name: 'X-Service-Key' };
const AS_BEARER = { type: 'http', scheme: 'bearer' };
const SECRET = 'A secret key (`lectern_sk_…`). Use it only on servers; never ship it to a browser.';
const PUBLISHABLE =
  'A publishable key (`lectern_pk_…`) for web pages. It can search and read, from the hosts and pages that the key pair allows.';

/** The ways to send a key. */
export const SECURITY_SCHEMES = {
  secretKey: { ...IN_HEADER, description: SECRET },
  secretBearer: { ...AS_BEARER, description: SECRET },
  publishableKey: { ...IN_HEADER, description: PUBLISHABLE },
  publishableBearer: { ...AS_BEARER, description: PUBLISHABLE },
} as const;

const secret = [{ secretKey: [] }, { secretBearer: [] }];

/** The schemes that an operation accepts, by its access. */
export const SECURITY: Readonly<Record<Access, readonly object[]>> = {
  open: [],
  secret,
  publishable: [...secret, { publishableKey: [] }, { publishableBearer: [] }],
};
