import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';

const name = z.string().min(1).max(200);
/** Headers that would change the meaning of a request, or that the client sets. */
const RESERVED = new Set([
  ...['host', 'content-length', 'content-type', 'accept', 'connection', 'cookie', 'transfer-encoding', 'upgrade'],
  ...['te', 'trailer', 'keep-alive', 'expect', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id'],
]);
const headerName = name
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header')
  .refine((header) => !RESERVED.has(header.toLowerCase()), 'must not be a header that Lectern sets');
const tokenUrl = z.url({ protocol: /^https?$/ }).max(2_000);

const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('bearer') }),
  z.strictObject({ type: z.literal('header'), name: headerName }),
  z.strictObject({ type: z.literal('query'), name }),
  z.strictObject({ type: z.literal('basic'), username: z.string().max(500) }),
  z.strictObject({
    type: z.literal('oauth'),
    tokenUrl,
    clientId: name,
    scopes: z.array(z.string().min(1).max(200)).max(20).default([]),
  }),
]);
const secretText = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters');

/** How Lectern authenticates at a tool server, without the secret. */
export type ServerAuth = z.output<typeof auth>;

/** The secret of an authentication: a token, a value, a password or a client secret. */
export interface AuthSecret {
  readonly secret: string;
}

/** Validates an authentication. Throws `invalid_request`, without repeating a value. */
export function parseAuth(value: unknown): ServerAuth {
  const parsed = auth.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    parsed.error.issues.map(({ path, message }) => ({ path: ['auth', ...path].join('.'), message })),
  );
}

/** Validates the secret for an authentication. Throws `invalid_request`. */
export function parseSecret({ type }: ServerAuth, secret: string | undefined): string | undefined {
  if (type === 'none' && secret !== undefined) throw secretIssue('is not allowed without an authentication');
  if (type === 'none') return undefined;
  if (secret === undefined) throw secretIssue('is required for this authentication');
  const parsed = secretText.safeParse(secret);
  if (!parsed.success) throw secretIssue(parsed.error.issues[0]?.message ?? 'is invalid');
  return parsed.data;
}

export const secretIssue = (message: string) => invalidRequest([{ path: 'secret', message }]);

/** Reads a stored authentication. */
export const readStoredAuth = (stored: unknown): ServerAuth => auth.parse(stored);

/** Reads an opened secret. */
export const readStoredSecret = (opened: unknown): string => z.object({ secret: z.string() }).parse(opened).secret;

/** Shorter secrets are not replaced in texts: they occur by chance. */
const MIN_REDACTED = 6;

/** The forms in which a server repeats a secret: as it is, in JSON, in a URL, in a form and in base64. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
  Buffer.from(secret).toString('base64'),
];

/** Returns a function that replaces secrets in a text. */
export function createRedactor(...secrets: readonly string[]): (text: string) => string {
  const hidden = new Set(secrets.flatMap(formsOf));
  const longest = [...hidden].filter(({ length }) => length >= MIN_REDACTED).sort((a, b) => b.length - a.length);
  return (text) => longest.reduce((rest, part) => rest.replaceAll(part, '[secret]'), text);
}
