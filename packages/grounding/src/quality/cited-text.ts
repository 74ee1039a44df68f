import type { CitationEvent } from '#citations/reply-event';
import type { SourceDocument } from '#citations/source-document';

/** Returns the text of the cited passage, or undefined if it does not exist. */
export function citedPassage(citation: CitationEvent, sources: readonly SourceDocument[]): string | undefined {
  return sources.find(({ id }) => id === citation.sourceId)?.passages[citation.passageIndex]?.text;
}

/** Returns the passages and document titles that citations with these markers refer to. */
export function citedText(
  markers: readonly number[],
  citations: readonly CitationEvent[],
  sources: readonly SourceDocument[],
): string {
  const cited = citations.filter(({ marker }) => markers.includes(marker));
  const titles = cited.map(({ sourceId }) => sources.find(({ id }) => id === sourceId)?.title ?? '');
  return [...new Set([...titles, ...cited.map((citation) => citedPassage(citation, sources) ?? '')])].join('\n');
}

/** Returns a text without line breaks and formatting, to compare a reply with its source. */
export const squeeze = (text = ''): string => text.replace(/[\s|*_`]+/g, ' ').trim();
