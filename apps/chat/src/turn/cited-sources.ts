import type { CitationEvent, SourceDocument, SourcePassage } from '@lectern/grounding';
import type { StoredSource } from '#conversations/stored-reply';

/** The maximum length of an excerpt, in UTF-16 code units. Most chunks fit completely. */
const MAX_EXCERPT = 1_600;

/**
 * Returns the documents that a reply cites, once each, in the order of their markers. The excerpt
 * is the passage of the first accurate quote, or the part of it around the quote if it is long. If
 * no quote of a document is accurate, the excerpt is the passage that the citation names: its
 * marker has already been sent, and the inaccurate quote lowers the confidence.
 */
export function citedSources(citations: readonly CitationEvent[], sources: readonly SourceDocument[]): StoredSource[] {
  const documents = new Map(sources.map((document) => [document.id, document]));
  const byDocument = Map.groupBy(
    citations.toSorted((a, b) => a.marker - b.marker),
    ({ sourceId }) => sourceId,
  );
  return [...byDocument].flatMap(([id, cited]) => {
    const document = documents.get(id);
    if (document === undefined) return [];
    return [{ id, title: document.title, excerpt: excerptOf(document, cited), url: document.url ?? '' }];
  });
}

function excerptOf({ passages }: SourceDocument, cited: readonly CitationEvent[]): string {
  const named = cited.map(({ passageIndex }) => passages[passageIndex]).find((passage) => passage !== undefined);
  const supported = cited.find(({ quote, passageIndex }) => isQuoteOf(quote, passages[passageIndex]));
  if (supported === undefined) return around('', named ?? passages[0]);
  return around(supported.quote, passages[supported.passageIndex]);
}

function isQuoteOf(quote: string, passage: SourcePassage | undefined): boolean {
  return quote.trim() !== '' && passage?.text.includes(quote) === true;
}

/**
 * Returns the passage, or the part of a long one around the quote, cut between words. Never cuts
 * the quote.
 */
function around(quote: string, passage: SourcePassage | undefined): string {
  const text = passage?.text ?? '';
  if (text.trim().length <= MAX_EXCERPT) return text.trim();
  const at = Math.max(0, text.indexOf(quote));
  const contextLength = Math.max(0, MAX_EXCERPT - quote.length);
  const first = Math.max(0, Math.min(at - Math.floor(contextLength / 2), text.length - quote.length - contextLength));
  const last = Math.min(text.length, first + quote.length + contextLength);
  const start = first === 0 ? 0 : afterNextSpace(text, first, at);
  const end = last === text.length ? last : beforeLastSpace(text, last, at + quote.length);
  return text.slice(start, end).trim();
}

/** Returns the offset after the first whitespace from `from` on, at most `most`. */
function afterNextSpace(text: string, from: number, most: number): number {
  const space = text.slice(from, most).search(/\s/);
  return space === -1 ? most : from + space;
}

/** Returns the offset of the last whitespace before `until`, at least `least`. */
function beforeLastSpace(text: string, until: number, least: number): number {
  const space = text.slice(least, until).search(/\s\S*$/);
  return space === -1 ? (least === 0 ? until : least) : least + space;
}
