import type { CitationEvent, SourceDocument, SourcePassage } from '@lectern/grounding';
import type { StoredSource } from '#conversations/stored-reply';

/** UTF-16 units of an excerpt: a passage of the builtin chunking as a rule fits whole. */
const MAX_EXCERPT = 1_600;

/**
 * The documents that a reply cites, once each, in order of their markers. Every excerpt is the cited passage, verbatim as the model was given it:
 * the one that the first true quote stands in, whole or, where it is long, as much of it around the quote as fits. Where no quote of a document's
 * is true, it is the passage it was said to come from. (The marker stands in text that has been sent, so its document is shown; the false quote
 * counts against the reply's confidence.)
 */
export function citedSources(citations: readonly CitationEvent[], given: readonly SourceDocument[]): StoredSource[] {
  const documents = new Map(given.map((document) => [document.id, document]));
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

/** The passage, or of a long one the stretch with the quote in its middle, cut between words. A quote that is longer still stays whole. */
function around(quote: string, passage: SourcePassage | undefined): string {
  const text = passage?.text ?? '';
  if (text.trim().length <= MAX_EXCERPT) return text.trim();
  const at = Math.max(0, text.indexOf(quote));
  const room = Math.max(0, MAX_EXCERPT - quote.length);
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), text.length - quote.length - room));
  const last = Math.min(text.length, first + quote.length + room);
  const start = first === 0 ? 0 : nextBlank(text, first, at);
  const end = last === text.length ? last : lastBlank(text, last, at + quote.length);
  return text.slice(start, end).trim();
}

/** Behind the first blank from `from` on, at most `most`. */
function nextBlank(text: string, from: number, most: number): number {
  const blank = text.slice(from, most).search(/\s/);
  return blank === -1 ? most : from + blank;
}

/** Before the last blank up to `until`, at least `least`. */
function lastBlank(text: string, until: number, least: number): number {
  const blank = text.slice(least, until).search(/\s\S*$/);
  return blank === -1 ? (least === 0 ? until : least) : least + blank;
}
