import type { CitationEvent } from '#citations/reply-event';
import type { SourceDocument } from '#citations/source-document';

/** The text of the passage a citation points to, or undefined where it points to nothing. */
export function citedPassage(citation: CitationEvent, sources: readonly SourceDocument[]): string | undefined {
  return sources.find(({ id }) => id === citation.sourceId)?.passages[citation.passageIndex]?.text;
}

/** All that the citations with one of these markers rest on: their passages and the titles of their documents. */
export function citedText(
  markers: readonly number[],
  citations: readonly CitationEvent[],
  sources: readonly SourceDocument[],
): string {
  const cited = citations.filter(({ marker }) => markers.includes(marker));
  const titles = cited.map(({ sourceId }) => sources.find(({ id }) => id === sourceId)?.title ?? '');
  return [...new Set([...titles, ...cited.map((citation) => citedPassage(citation, sources) ?? '')])].join('\n');
}
