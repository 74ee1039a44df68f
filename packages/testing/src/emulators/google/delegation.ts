import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import type { DirectoryModel } from '#emulators/google/directory-model';
import { jsonResponse, type PlatformRequest, type PlatformResponse } from '#emulators/platform/platform-server';

/*
 * The token endpoint for service accounts with domain-wide delegation.
 * https://developers.google.com/identity/protocols/oauth2/service-account
 */

const DIRECTORY_SCOPE = 'https://www.googleapis.com/auth/admin.directory';
export const USER_SCOPE = `${DIRECTORY_SCOPE}.user.readonly`;
export const GROUP_SCOPE = `${DIRECTORY_SCOPE}.group.readonly`;
export const MEMBER_SCOPE = `${DIRECTORY_SCOPE}.group.member.readonly`;

const AUDIENCE = 'https://oauth2.googleapis.com/token';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFETIME_SECONDS = 3_600;
const CLOCK_SKEW_SECONDS = 300;

const CLIENT_EMAIL = 'lectern@example-project.iam.gserviceaccount.com';
const KEY_ID = '0123456789abcdef';

/** A key pair takes a while to generate, so that all servers of a process share two. */
let pairs: { readonly valid: string; readonly other: string } | undefined;
function privateKeys() {
  const generate = () =>
    generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  pairs ??= { valid: generate(), other: generate() };
  return pairs;
}

export interface Delegation {
  /** The content of the JSON key file; with `revoked`, of a key that was deleted. */
  keyFile(options?: { readonly revoked?: boolean }): string;
  /** Handles a request for a token; undefined if it is another grant. */
  token(request: PlatformRequest): PlatformResponse | undefined;
  /** Returns the user and the scopes of a valid access token. */
  find(authorization: string | undefined): { readonly subject: string; readonly scopes: readonly string[] } | undefined;
  /** Sets the scopes in the Admin console; none revokes the delegation. */
  setScopes(scopes: readonly string[]): void;
  /** Refuses tokens for these users. */
  refuseUsers(addresses: readonly string[]): void;
  expireTokens(): void;
  /** The number of tokens issued so far, by user. */
  readonly issued: ReadonlyMap<string, number>;
}

const failure = (status: number, error: string, error_description: string) =>
  jsonResponse(status, { error, error_description });

function decode(part: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(part ?? '', 'base64url').toString()));
  } catch {
    return {};
  }
}

/** @param scopes those of the service that the account reads, delegated besides those of the directory */
export function createDelegation(directory: DirectoryModel, scopes: readonly string[]): Delegation {
  const tokens = new Map<string, { readonly subject: string; readonly scopes: readonly string[] }>();
  const issued = new Map<string, number>();
  let delegated: readonly string[] = [...scopes, USER_SCOPE, GROUP_SCOPE, MEMBER_SCOPE];
  let refused: readonly string[] = [];

  const isSigned = (assertion: string): boolean => {
    const [header, payload, signature, ...more] = assertion.split('.');
    const { alg, typ, kid } = decode(header);
    if (more.length > 0 || alg !== 'RS256' || typ !== 'JWT' || kid !== KEY_ID) return false;
    const key = createPublicKey(privateKeys().valid);
    return verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature ?? '', 'base64url'));
  };

  const exchange = (assertion: string): PlatformResponse => {
    if (!isSigned(assertion)) return failure(400, 'invalid_grant', 'Invalid JWT Signature.');
    const { iss, sub, aud, scope, iat, exp } = decode(assertion.split('.')[1]);
    if (iss !== CLIENT_EMAIL) return failure(400, 'invalid_grant', 'Invalid grant: account not found');
    if (aud !== AUDIENCE) return failure(400, 'invalid_grant', 'Invalid JWT: Failed audience check.');
    const now = Date.now() / 1_000;
    const [from, until] = [Number(iat), Number(exp)];
    if (!(from <= now + CLOCK_SKEW_SECONDS && until > now && until - from <= LIFETIME_SECONDS)) {
      return failure(400, 'invalid_grant', 'Invalid JWT: Token must be a short-lived token (60 minutes).');
    }
    const scopes = String(scope ?? '').split(' ');
    const subject = String(sub ?? '').toLowerCase();
    if (scopes.some((name) => !delegated.includes(name)) || refused.includes(subject) || subject === '') {
      const text =
        'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.';
      return failure(401, 'unauthorized_client', text);
    }
    const user = directory.findActive(subject);
    if (user === undefined) return failure(400, 'invalid_grant', `Invalid email or User ID`);
    const token = `ya29.${randomUUID()}`;
    tokens.set(token, { subject: user.primaryEmail, scopes });
    issued.set(subject, (issued.get(subject) ?? 0) + 1);
    return jsonResponse(200, { access_token: token, expires_in: LIFETIME_SECONDS - 1, token_type: 'Bearer' });
  };

  return {
    keyFile: ({ revoked = false } = {}) =>
      JSON.stringify({
        type: 'service_account',
        project_id: 'example-project',
        private_key_id: KEY_ID,
        private_key: revoked ? privateKeys().other : privateKeys().valid,
        client_email: CLIENT_EMAIL,
        client_id: '100000000000000000001',
        auth_uri: 'https://accounts.google.com/o/oauth2/auth',
        token_uri: AUDIENCE,
      }),
    token: (request) => {
      const form = new URLSearchParams(request.body);
      if (form.get('grant_type') !== GRANT_TYPE) return undefined;
      const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
      if (request.method !== 'POST' || !isForm) return failure(400, 'invalid_request', 'Bad Request');
      return exchange(form.get('assertion') ?? '');
    },
    find: (authorization) => tokens.get(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? ''),
    setScopes: (scopes) => {
      delegated = scopes;
    },
    refuseUsers: (addresses) => {
      refused = addresses.map((address) => address.toLowerCase());
    },
    expireTokens: () => tokens.clear(),
    issued,
  };
}
