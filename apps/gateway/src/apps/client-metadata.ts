import { z } from 'zod';
import { OauthError } from '#apps/oauth-error';
import { redirectTarget } from '#apps/redirect-uri';

const MAX_NAME = 100;
const MAX_REDIRECT_URIS = 10;
const MAX_URI = 2_000;
const MAX_LIST = 20;

const text = z.string().max(MAX_URI);
const words = z.array(z.string().max(100)).max(MAX_LIST);

const schema = z.looseObject({
  redirect_uris: z.array(text).min(1).max(MAX_REDIRECT_URIS),
  client_name: text.optional(),
  grant_types: words.optional(),
  response_types: words.optional(),
});

/** What Lectern uses of the metadata of a client (RFC 7591). It shows neither logos nor links of clients. */
export interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/**
 * Returns a name without control characters, line breaks and changes of the writing direction, which could
 * imitate the text around it.
 */
function displayName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return [...plain].slice(0, MAX_NAME).join('').trim();
}

/** Parses the metadata of a client. Throws `OauthError`. */
export function parseClientMetadata(value: unknown): ClientMetadata {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') || 'the metadata';
    throw new OauthError('invalid_client_metadata', `${path}: ${parsed.error.issues[0]?.message ?? 'is invalid'}.`);
  }
  const {
    redirect_uris: redirectUris,
    client_name: given = '',
    grant_types: grants,
    response_types: types,
  } = parsed.data;
  const targets = redirectUris.map((uri) => {
    const target = redirectTarget(uri);
    if (target !== undefined) return target;
    throw new OauthError(
      'invalid_redirect_uri',
      'redirect_uris: each must be an https URL, an http URL of localhost, 127.0.0.1 or [::1], or have the scheme of an app that contains a dot, all without a fragment.',
    );
  });
  if (grants !== undefined && !grants.includes('authorization_code')) {
    throw new OauthError('invalid_client_metadata', 'grant_types: must contain authorization_code.');
  }
  if (types !== undefined && !types.includes('code')) {
    throw new OauthError('invalid_client_metadata', 'response_types: must contain code.');
  }
  return { name: displayName(given) || (targets[0]?.name ?? ''), redirectUris: [...new Set(redirectUris)] };
}
