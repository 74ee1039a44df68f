import { AppError } from '@lectern/service-kit';
import type { Config } from '#config';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function isAllowed(origin: string, { PUBLIC_URL, MCP_ALLOWED_ORIGINS }: Config): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  const isOwn = PUBLIC_URL !== undefined && new URL(PUBLIC_URL).origin === url.origin;
  return isOwn || LOOPBACK.includes(url.hostname) || MCP_ALLOWED_ORIGINS.includes(url.origin);
}

/**
 * Checks the origin of a browser request. With DNS rebinding, a malicious page can send requests to
 * this server under the name of the page, so the Host proves nothing. The Origin, which browsers
 * send with each POST, still names the page. Other clients send none. Throws `forbidden`.
 */
export function requireAllowedOrigin(origin: string | undefined, config: Config): void {
  if (origin === undefined || isAllowed(origin, config)) return;
  throw new AppError(
    'forbidden',
    'Pages of this origin may not use MCP here. The operator can add the origin to MCP_ALLOWED_ORIGINS.',
  );
}
