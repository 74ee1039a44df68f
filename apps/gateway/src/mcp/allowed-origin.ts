import { AppError } from '@lectern/service-kit';
import type { Config } from '#config';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function isAllowed(origin: string, { PUBLIC_URL, MCP_ALLOWED_ORIGINS }: Config): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  const isOurs = PUBLIC_URL !== undefined && new URL(PUBLIC_URL).origin === url.origin;
  return isOurs || LOOPBACK.includes(url.hostname) || MCP_ALLOWED_ORIGINS.includes(url.origin);
}

/**
 * Checks from which page a browser calls. A page that had its own name point at this machine (DNS rebinding) counts as one origin with
 * us, so the request's Host proves nothing; the Origin, which every browser sends with a POST, still names that page. Programs send
 * none. Throws `forbidden`.
 */
export function requireAllowedOrigin(origin: string | undefined, config: Config): void {
  if (origin === undefined || isAllowed(origin, config)) return;
  throw new AppError(
    'forbidden',
    'Pages of this origin may not use MCP here. Its operator can add it to MCP_ALLOWED_ORIGINS.',
  );
}
