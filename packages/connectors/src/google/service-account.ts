import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { z } from 'zod';

/** The fields of a key file that are used. `token_uri` is not: the operator sets that address. */
const KeyFile = z.object({
  type: z.literal('service_account').optional(),
  client_email: z.string().min(3).max(320).includes('@'),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
});

/** The token addresses in key files of Google Cloud. */
const TOKEN_URIS: ReadonlySet<unknown> = new Set([
  undefined,
  'https://oauth2.googleapis.com/token',
  'https://accounts.google.com/o/oauth2/token',
  'https://www.googleapis.com/oauth2/v4/token',
]);

export interface ServiceAccount {
  readonly clientEmail: string;
  readonly key: KeyObject;
  readonly keyId: string | undefined;
}

function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the content of a JSON key file. Returns what is wrong with it, to follow the name of a
 * field, if it is invalid. The text never contains a value.
 */
export function parseServiceAccount(text: string): ServiceAccount | string {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null) return 'must be the content of a JSON key file';
  if ('token_uri' in json && !TOKEN_URIS.has(json.token_uri)) {
    return 'must have a token_uri of Google, https://oauth2.googleapis.com/token';
  }
  const parsed = KeyFile.safeParse(json, { reportInput: false });
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? 'client_email');
    return `must be the key of a service account: its ${field} is missing or invalid`;
  }
  const { client_email: clientEmail, private_key: pem, private_key_id: keyId } = parsed.data;
  const key = privateKeyOf(pem);
  return key === undefined ? 'must contain an RSA private_key in PEM format' : { clientEmail, key, keyId };
}

const LIFETIME_SECONDS = 3_600;

/**
 * Signs the request for a token that acts as a user.
 * https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests
 */
export function signAssertion(
  { clientEmail, key, keyId }: ServiceAccount,
  claims: { readonly subject: string; readonly scopes: readonly string[]; readonly audience: string },
  nowMs: number,
): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1_000);
  return new SignJWT({ scope: claims.scopes.join(' ') })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) })
    .setIssuer(clientEmail)
    .setSubject(claims.subject)
    .setAudience(claims.audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(key);
}
