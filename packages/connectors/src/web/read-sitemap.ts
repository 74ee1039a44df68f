import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { SourceError } from '#source-error';
import { isoTime } from '#web/iso-time';
import type { WebResponse } from '#web/web-http';

// https://www.sitemaps.org/protocol.html
const MAX_SITEMAP_URLS = 50_000;
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_TEXT = 4_000;
const MAX_DEPTH = 20;

/** An entry of a sitemap, or of an index of sitemaps. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap';
  readonly location: string;
  /** ISO 8601. */
  readonly modifiedAt: string | undefined;
}

const malformed = (what: string, cause?: unknown) =>
  new SourceError('invalid', `${what} is not a sitemap in XML. Check the file, or remove it from robots.txt.`, {
    cause,
  });

/** Unpacks while bytes arrive. Its errors are those of `source` and of zlib (`Z_…`). */
function gunzip(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const unzip = createGunzip();
  // A failure also ends `unzip`, whose reader gets the error.
  pipeline(Readable.from(source, { objectMode: false }), unzip).catch(() => undefined);
  return unzip;
}

/** Yields the unpacked bytes of a sitemap. Throws `too_large` beyond 50 MB, also while unpacking. */
async function* unpacked(response: WebResponse, what: string): AsyncGenerator<Uint8Array> {
  const pieces = response.body[Symbol.asyncIterator]();
  try {
    const first = await pieces.next();
    if (first.done === true) return;
    const rest = async function* () {
      yield first.value;
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
    };
    const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
    const source = isGzip ? gunzip(rest()) : rest();
    let bytes = 0;
    for await (const piece of source) {
      bytes += piece.byteLength;
      if (bytes > MAX_SITEMAP_BYTES) throw new SourceError('too_large', `${what} is larger than 50 MB.`);
      yield piece;
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw code.startsWith('Z_') ? malformed(what, error) : error;
  } finally {
    await pieces.return?.();
  }
}

/** Collects entries from the events of the XML parser. */
function createEntryReader() {
  const parser = new SaxesParser();
  let entries: SitemapEntry[] = [];
  let depth = 0;
  let kind: SitemapEntry['kind'] | undefined;
  let field: 'loc' | 'lastmod' | undefined;
  let values = { loc: '', lastmod: '' };
  const localName = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('opentag', ({ name }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new RangeError('The sitemap is nested too deeply.');
    if (depth === 1 && !['urlset', 'sitemapindex'].includes(localName(name))) {
      throw new TypeError('The root element is not one of a sitemap.');
    }
    if (depth === 2) {
      kind = localName(name) === 'sitemap' ? 'sitemap' : 'page';
      values = { loc: '', lastmod: '' };
    }
    // `image:loc` is deeper, in `image:image`.
    const local = depth === 3 ? localName(name) : '';
    field = local === 'loc' || local === 'lastmod' ? local : undefined;
  });
  const add = (text: string) => {
    if (field !== undefined && values[field].length < MAX_TEXT) values[field] += text.slice(0, MAX_TEXT);
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    if (depth === 2 && kind !== undefined && values.loc.trim() !== '') {
      entries.push({ kind, location: values.loc.trim(), modifiedAt: isoTime(values.lastmod.trim()) });
    }
    depth -= 1;
    field = undefined;
  });
  parser.on('error', (error) => {
    throw error;
  });
  return {
    write: (text: string): readonly SitemapEntry[] => {
      parser.write(text);
      const read = entries;
      entries = [];
      return read;
    },
    close: () => parser.close(),
  };
}

/**
 * Yields the entries of a sitemap or an index, also compressed with gzip, while it arrives. Throws
 * `invalid` if it is malformed and `too_large` beyond the limits of the protocol.
 */
export async function* readSitemap(response: WebResponse, what: string): AsyncGenerator<SitemapEntry> {
  const reader = createEntryReader();
  const decoder = new TextDecoder();
  const parse = (work: () => readonly SitemapEntry[]) => {
    try {
      return work();
    } catch (error) {
      throw malformed(what, error);
    }
  };
  let count = 0;
  for await (const piece of unpacked(response, what)) {
    for (const entry of parse(() => reader.write(decoder.decode(piece, { stream: true })))) {
      count += 1;
      if (count > MAX_SITEMAP_URLS) {
        throw new SourceError('too_large', `${what} has more than ${MAX_SITEMAP_URLS} entries.`);
      }
      yield entry;
    }
  }
  for (const entry of parse(() => {
    const last = reader.write(decoder.decode());
    reader.close();
    return last;
  })) {
    yield entry;
  }
}
