import { invalidRequest } from '@lectern/service-kit';
import { jwtVerify } from 'jose';
import type { OidcClient } from '#identity/oidc/clients';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Providers sign with a private key. A shared secret could be any text that a client knows. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const TOLERANCE_SECONDS = 60;
const MAX_AGE_SECONDS = 300;
const MAX_TEXT = 255;

/** How long the id of a token is stored. After that, the token is too old. */
export const LOGOUT_TOKEN_MS = (MAX_AGE_SECONDS + 2 * TOLERANCE_SECONDS) * 1000;

/** What a provider asks to end: one of its sessions, or all sessions of a person. */
export interface Logout {
  readonly id: string;
  readonly subject: string | undefined;
  readonly sessionId: string | undefined;
}

const invalid = (message: string, cause?: unknown) => {
  const error = invalidRequest([{ path: 'logout_token', message }]);
  error.cause = cause;
  return error;
};

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;

/** Checks a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). Throws `invalid_request`. */
export async function verifyLogoutToken({ config, keys }: OidcClient, token: string): Promise<Logout> {
  const verified = await jwtVerify(token, keys, {
    issuer: config.serverMetadata().issuer,
    audience: config.clientMetadata().client_id,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    requiredClaims: ['iat', 'jti', 'events'],
  }).catch((error: unknown) => {
    throw invalid('must be a valid logout token of this provider for this client', error);
  });
  const { jti, sub, sid, events, nonce } = verified.payload;
  const event: unknown = typeof events === 'object' && events !== null ? Reflect.get(events, EVENT) : undefined;
  if (typeof event !== 'object' || event === null) throw invalid(`must contain the event ${EVENT}`);
  if (nonce !== undefined) throw invalid('must not contain a nonce: an ID token is not a logout token');
  if (!isText(jti)) throw invalid('must contain an id (jti)');
  const subject = isText(sub) ? sub : undefined;
  const sessionId = isText(sid) ? sid : undefined;
  if (subject === undefined && sessionId === undefined) throw invalid('must contain sub or sid');
  return { id: jti, subject, sessionId };
}
