/** URLs of this machine. `localhost` can be resolved by others, but many apps use it. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/;

/** Printable ASCII without characters that parsers of URLs treat differently. */
const SAFE = /^[\x21-\x7e]+$/;
const UNSAFE = /["'<>\\^`{|}#]/;

const CUSTOM = /^([a-z][a-z0-9+.-]*):\//;
/** Editors whose schemes are not reversed domain names (RFC 8252, 7.1), but registered by their installers. */
const EDITOR_SCHEMES: readonly string[] = ['cursor', 'vscode', 'vscode-insiders', 'vscodium', 'windsurf', 'zed'];

const MAX_LENGTH = 2_000;

/** Where a browser goes with the response: a web site, this machine, or an installed app. */
type RedirectKind = 'web' | 'device' | 'app';

/** A place that the person can recognize. */
export interface RedirectTarget {
  readonly kind: RedirectKind;
  /** The host, or the scheme of an installed app. */
  readonly name: string;
}

/**
 * Describes a redirect URI. Returns undefined for one that is not allowed: only https, http on this
 * machine, and schemes of installed apps, which exclude `javascript:`, `data:` and the like.
 */
export function redirectTarget(uri: string): RedirectTarget | undefined {
  if (uri.length > MAX_LENGTH || !SAFE.test(uri) || UNSAFE.test(uri) || !URL.canParse(uri)) return undefined;
  const { protocol, host, username, password } = new URL(uri);
  if (username !== '' || password !== '') return undefined;
  if (protocol === 'https:') return uri.startsWith('https://') && host !== '' ? { kind: 'web', name: host } : undefined;
  if (protocol === 'http:') return LOOPBACK.test(uri) ? { kind: 'device', name: host } : undefined;
  const scheme = CUSTOM.exec(uri)?.[1];
  if (scheme === undefined) return undefined;
  return scheme.includes('.') || EDITOR_SCHEMES.includes(scheme) ? { kind: 'app', name: scheme } : undefined;
}

/** Removes the port of a URL of this machine. Returns undefined for any other URL. */
function withoutLoopbackPort(uri: string): string | undefined {
  const found = LOOPBACK.exec(uri);
  return found === null ? undefined : `http://${found[1]}${uri.slice(found[0].length)}`;
}

/**
 * True if a client has registered a redirect URI: exactly this one, or one of this machine that differs
 * only in the port, which an app chooses when it starts (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (redirectTarget(uri) === undefined) return false;
  if (registered.includes(uri)) return true;
  const local = withoutLoopbackPort(uri);
  return local !== undefined && registered.some((known) => withoutLoopbackPort(known) === local);
}

/** Adds parameters to a redirect URI, which can have a query. */
export function withParams(uri: string, params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, value);
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
