import { AppError } from '@lectern/service-kit';
import { isHost, publicUrl } from '#http/public-url';

interface Request {
  readonly host: string | undefined;
  readonly client: { readonly isSecure: boolean };
}

/** The URLs of the authorization server. */
export interface AppUrls {
  /** Names this installation. */
  readonly issuer: string;
  /** What tokens are for. */
  readonly resource: string;
  /** Describes the resource (RFC 9728). */
  readonly resourceMetadata: string;
}

/** Returns the URLs, or undefined if the installation does not know its own: anybody can send any `Host`. */
export function knownAppUrls(setting: string | undefined, { host, client }: Request): AppUrls | undefined {
  if (setting === undefined && !isHost(host)) return undefined;
  const { url, isTrusted } = publicUrl(setting, host, client.isSecure);
  if (!isTrusted) return undefined;
  const { origin, pathname } = new URL(`${url}/mcp`);
  return {
    issuer: url,
    resource: `${url}/mcp`,
    resourceMetadata: `${origin}/.well-known/oauth-protected-resource${pathname}`,
  };
}

/** Returns the URLs. Throws `unavailable` if the installation does not know its own. */
export function appUrls(setting: string | undefined, request: Request): AppUrls {
  const urls = knownAppUrls(setting, request);
  if (urls !== undefined) return urls;
  throw new AppError(
    'unavailable',
    'Connecting apps requires PUBLIC_URL. Ask the operator of this installation to set it.',
  );
}

/** Upper and lower case of the scheme and the host are the same, and a slash at the end does not matter. */
function canonical(resource: string): string | undefined {
  if (!URL.canParse(resource) || resource.includes('#')) return undefined;
  const { origin, pathname, search, username } = new URL(resource);
  return username === '' ? `${origin}${pathname.replace(/\/+$/, '')}${search}` : undefined;
}

/** True if a resource indicator (RFC 8707) names the MCP server of this installation. */
export const isResource = (given: string, { resource }: AppUrls): boolean => canonical(given) === canonical(resource);
