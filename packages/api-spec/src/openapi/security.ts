import type { Access, OperationSpec } from '#operation';

const IN_HEADER = { type: 'apiKey', in: 'header', name: 'X-Service-Key' };
const AS_BEARER = { type: 'http', scheme: 'bearer' };
const SECRET = 'A secret key (`lectern_sk_…`). Use it only on servers; never ship it to a browser.';
const PUBLISHABLE =
  'A publishable key (`lectern_pk_…`) for web pages. It can search and read, from the hosts and pages that the key pair allows.';

const SESSION =
  'The session of a person who signed in, in the cookie `lectern_session` (`__Host-lectern_session` over TLS). Only pages of this installation can use it. A request that changes something also needs `X-Lectern-CSRF: 1`. The role of the person limits the operations.';

/** The ways to send a key, and the session of a person. */
export const SECURITY_SCHEMES = {
  secretKey: { ...IN_HEADER, description: SECRET },
  secretBearer: { ...AS_BEARER, description: SECRET },
  publishableKey: { ...IN_HEADER, description: PUBLISHABLE },
  publishableBearer: { ...AS_BEARER, description: PUBLISHABLE },
  session: { type: 'apiKey', in: 'cookie', name: 'lectern_session', description: SESSION },
} as const;

const session = [{ session: [] }];
const secret = [{ secretKey: [] }, { secretBearer: [] }, ...session];

/** The schemes of operations that are not only for people, by access. */
export const SECURITY: Readonly<Record<Access, readonly object[]>> = {
  open: [],
  secret,
  publishable: [...secret, { publishableKey: [] }, { publishableBearer: [] }],
};

/** The schemes that an operation accepts. */
export const securityOf = ({ access, isForPeople }: OperationSpec): readonly object[] =>
  isForPeople === true ? session : SECURITY[access];
