import type { CitationEvent, SourceDocument, SourcePassage } from '@lectern/llm';
import type { StoredSource } from '#conversations/stored-reply';

/** UTF-16 units of an excerpt that is not a quote. */
const MAX_EXCERPT = 320;

/**
 * The documents that a reply cites, once each, in order of their markers. Every excerpt stands verbatim in a passage that the model was
 * given: the first quote that does, or, where none of a document's does, the beginning of the passage it was said to come from. (The
 * marker stands in text that has been sent, so its document is shown; the false quote counts against the reply's confidence.)
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
  return supported?.quote ?? beginningOf(named ?? passages[0]);
}

function isQuoteOf(quote: string, passage: SourcePassage | undefined): boolean {
  return quote.trim() !== '' && passage?.text.includes(quote) === true;
}

function beginningOf(passage: SourcePassage | undefined): string {
  const text = passage?.text.trim() ?? '';
  if (text.length <= MAX_EXCERPT) return text;
  const border = text.lastIndexOf(' ', MAX_EXCERPT);
  return text.slice(0, border > 0 ? border : MAX_EXCERPT).trimEnd();
}
