import type { OperationSpec } from '#operation';
import { accessOf } from '#roles';

const IN_HEADER = { type: 'apiKey', in: 'header', name: 'X-Service-Key' };
const AS_BEARER = { type: 'http', scheme: 'bearer' };
const SECRET = 'A secret key (`lectern_sk_…`). Use it only on servers; never ship it to a browser.';
const PUBLISHABLE =
  'A publishable key (`lectern_pk_…`) for web pages. It can search and read, from the hosts and pages that the key pair allows.';

const USER_TOKEN =
  'A user token (`lectern_ut_…`) for the web page of one user. Create it on a server (`POST /api/v1/user-tokens`). It has the scope, the filters and the rights that it was created with.';
const SESSION =
  'The session of a person who signed in, in the cookie `lectern_session` (`__Host-lectern_session` over TLS). Only pages of this installation can use it. A request that changes something also needs `X-Lectern-CSRF: 1`. The role of the person limits the operations.';

/** The ways to send a key, and the session of a person. */
export const SECURITY_SCHEMES = {
  secretKey: { ...IN_HEADER, description: SECRET },
  secretBearer: { ...AS_BEARER, description: SECRET },
  publishableKey: { ...IN_HEADER, description: PUBLISHABLE },
  publishableBearer: { ...AS_BEARER, description: PUBLISHABLE },
  userToken: { ...IN_HEADER, description: USER_TOKEN },
  userTokenBearer: { ...AS_BEARER, description: USER_TOKEN },
  session: { type: 'apiKey', in: 'cookie', name: 'lectern_session', description: SESSION },
} as const;

/** Returns the schemes that an operation accepts. */
export function securityOf({
  id,
  access,
  isForPeople,
}: Pick<OperationSpec, 'id' | 'access' | 'isForPeople'>): readonly object[] {
  if (access === 'open') return [];
  if (isForPeople === true) return [{ session: [] }];
  const { role, publishable, userToken } = accessOf(id);
  return [
    { secretKey: [] },
    { secretBearer: [] },
    ...(role === null ? [] : [{ session: [] }]),
    ...(publishable ? [{ publishableKey: [] }, { publishableBearer: [] }] : []),
    ...(userToken ? [{ userToken: [] }, { userTokenBearer: [] }] : []),
  ];
}
