import { linkTarget } from '#web/crawl-url';

const MAX_HEADER = 4_000;

/**
 * Returns the target of `rel=canonical` in a `Link` header, for example of a PDF.
 * https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
export function canonicalLink(header: string | null, url: URL): URL | undefined {
  for (const part of (header ?? '').slice(0, MAX_HEADER).split(/,(?=\s*<)/)) {
    const [, target = '', parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? [];
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('canonical')) return linkTarget(target, url.href);
  }
  return undefined;
}
