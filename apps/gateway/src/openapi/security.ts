import type { Access } from '#http/operation';

const IN_HEADER = { type: 'apiKey', in: 'header', name: 'X-Service-Key' };
const AS_BEARER = { type: 'http', scheme: 'bearer' };
const SECRET = 'A secret key (`lectern_sk_…`), for servers alone. Never ship it to a browser.';
const PUBLISHABLE =
  'A publishable key (`lectern_pk_…`), for pages: searching and reading, from the hosts and pages that the pair allows.';

/** The ways to present a key. */
export const SECURITY_SCHEMES = {
  secretKey: { ...IN_HEADER, description: SECRET },
  secretBearer: { ...AS_BEARER, description: SECRET },
  publishableKey: { ...IN_HEADER, description: PUBLISHABLE },
  publishableBearer: { ...AS_BEARER, description: PUBLISHABLE },
} as const;

const secret = [{ secretKey: [] }, { secretBearer: [] }];

/** Which of them an operation takes. */
export const SECURITY: Readonly<Record<Access, readonly object[]>> = {
  open: [],
  secret,
  publishable: [...secret, { publishableKey: [] }, { publishableBearer: [] }],
};
