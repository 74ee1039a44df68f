/// <reference path="./robots-parser.d.ts" />
import robotsParser from 'robots-parser';
import type { ConnectorCall } from '#connector';
import { SourceError } from '#source-error';
import { linkTarget, normalizeEscapes } from '#web/crawl-url';
import type { HostPace } from '#web/host-pace';
import type { Scope } from '#web/scope';
import { Redirected, type WebHttp, withinTime } from '#web/web-http';

/** The name by which `robots.txt` addresses the crawler. */
export const USER_AGENT = 'Lectern';

// https://www.rfc-editor.org/rfc/rfc9309.html#name-limits
const MAX_BYTES = 500 * 1024;
/**
 * The rules with wildcards are matched character by character, so their size decides how long a
 * check takes.
 */
const MAX_WILDCARD_CHARS = 50_000;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 60_000;
const KEPT_MS = 10 * 60_000;

/** What a site allows. */
interface RobotsPolicy {
  allows(url: URL): boolean;
  readonly sitemaps: readonly string[];
}

/** The `robots.txt` of each site, read once and kept for ten minutes. */
export interface Robots {
  /**
   * Returns the rules of a site. Throws `transient` if it does not respond: then nothing on it can
   * be requested.
   */
  policy(call: ConnectorCall, url: URL): Promise<RobotsPolicy>;
  /** Reads the rules again, which also shows whether the site responds. */
  reload(call: ConnectorCall, url: URL): Promise<RobotsPolicy>;
  /** Forgets all rules. */
  forget(): void;
}

const ALLOW_ALL: RobotsPolicy = { allows: () => true, sitemaps: [] };
const ALLOW_NONE: RobotsPolicy = { allows: () => false, sitemaps: [] };

const decode = (pieces: readonly Uint8Array[]): string =>
  new TextDecoder().decode(Buffer.concat(pieces).subarray(0, MAX_BYTES));

/** Returns the first 500 KiB of a body; a cut line at the end is dropped. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > MAX_BYTES) {
      const text = decode(pieces);
      return text.slice(0, Math.max(text.lastIndexOf('\n'), 0));
    }
  }
  return decode(pieces);
}

/**
 * Rewrites lines that the parser reads differently from RFC 9309: the name of a crawler ends at the
 * first other character, and lines besides rules do not end a group.
 */
function normalizeLines(text: string): string {
  const rules: string[] = [];
  const others: string[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const field = name.toLowerCase();
    if (field === 'user-agent') rules.push(`user-agent: ${/^(\*|[a-z_-]+)/i.exec(value)?.[1] ?? 'unnamed'}`);
    else if (['allow', 'disallow', 'crawl-delay'].includes(field)) rules.push(`${field}: ${normalizeEscapes(value)}`);
    else if (field !== '') others.push(line);
  }
  return [...rules, ...others].join('\n');
}

/** Escapes a URL like the parser escapes its rules: `[` and `%5B` are the same. */
const escaped = ({ origin, pathname, search }: URL): string =>
  origin + normalizeEscapes(encodeURI(pathname + search).replaceAll('%25', '%'));

function parse(robotsUrl: URL, text: string, pace: HostPace): RobotsPolicy {
  const wildcards = text.split(/[\r\n]+/).reduce((sum, line) => sum + (line.includes('*') ? line.length : 0), 0);
  if (wildcards > MAX_WILDCARD_CHARS) return ALLOW_NONE;
  const rules = robotsParser(robotsUrl.href, normalizeLines(text));
  const delaySeconds = rules.getCrawlDelay(USER_AGENT);
  if (delaySeconds !== undefined && delaySeconds > 0) pace.slowDown(robotsUrl.host, delaySeconds * 1000);
  return {
    allows: (url) => rules.isAllowed(escaped(url), USER_AGENT) ?? true,
    sitemaps: rules.getSitemaps(),
  };
}

export function createRobots(http: WebHttp, scope: Scope, pace: HostPace): Robots {
  const kept = new Map<string, { readonly until: number; readonly policy: Promise<RobotsPolicy> }>();

  const read = async (call: ConnectorCall, origin: string): Promise<RobotsPolicy> => {
    const robotsUrl = new URL('/robots.txt', origin);
    let at = robotsUrl;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      try {
        return parse(robotsUrl, await readStart((await http.get(call, at)).body), pace);
      } catch (error) {
        if (error instanceof Redirected) {
          const next = linkTarget(error.location, at.href);
          if (next === undefined) return ALLOW_ALL;
          if (!scope.hasHost(next)) {
            throw new SourceError(
              'invalid',
              `${robotsUrl.host} redirects to ${next.host}, which is not a host of this connector. Use a start URL on ${next.host}, or add it to hosts.`,
            );
          }
          at = next;
          continue;
        }
        // Any other client error: the site has no rules.
        const isMissing = error instanceof SourceError && ['gone', 'forbidden'].includes(error.kind);
        const isRejected = error instanceof SourceError && error.kind === 'invalid' && error.cause === undefined;
        if (isMissing || isRejected) return ALLOW_ALL;
        throw error;
      }
    }
    return ALLOW_ALL;
  };

  const reload = (call: ConnectorCall, { origin, host }: URL): Promise<RobotsPolicy> => {
    const limit = { timeoutMs: TIMEOUT_MS, what: `The request for robots.txt of ${host}` };
    const policy = withinTime(call, limit, (limited) => read(limited, origin));
    kept.set(origin, { until: Date.now() + KEPT_MS, policy });
    policy.catch(() => {
      if (kept.get(origin)?.policy === policy) kept.delete(origin);
    });
    return policy;
  };

  return {
    policy: (call, url) => {
      const known = kept.get(url.origin);
      if (known === undefined || known.until <= Date.now()) return reload(call, url);
      return known.policy.catch((error: unknown) => {
        // The call that sent the request was cancelled, this one was not.
        if (error instanceof SourceError || call.signal.aborted) throw error;
        return reload(call, url);
      });
    },
    reload,
    forget: () => kept.clear(),
  };
}
