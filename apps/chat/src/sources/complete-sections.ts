import type { SourceDocument, SourcePassage } from '@lectern/grounding';
import { type SectionSpan, sectionSpans } from '@lectern/text';
import { mergePassages } from '#sources/merge-passages';
import type { TurnServices } from '#turn/turn-services';

/** The maximum length of a section that a passage is extended to, in UTF-16 code units. */
const MAX_SECTION = 6_000;
/** A passage that starts in the middle of a table or a list. */
const STARTS_INSIDE = /^\s*(?:\||[-*+•]\s|\d{1,3}[.)]\s)/;

/**
 * Extends the passages of the first documents to complete sections, so that steps, lists and tables
 * are whole. With `documents` 0, only for the first document, and only if one of its passages starts
 * inside a table or list.
 */
export async function completeSections(
  services: TurnServices,
  found: readonly SourceDocument[],
  documents: number,
  signal: AbortSignal,
): Promise<readonly SourceDocument[]> {
  const isCut = found[0]?.passages.some(({ text }) => STARTS_INSIDE.test(text)) === true;
  const first = found.slice(0, Math.max(documents, Number(isCut)));
  if (first.length === 0) return found;
  const texts = await Promise.all(first.map(({ id }) => services.readDocument(id, signal)));
  const complete = first.map((document, at) => {
    const text = texts[at];
    return text === undefined ? document : { ...document, passages: extend(document.passages, text) };
  });
  return [...complete, ...found.slice(first.length)];
}

function extend(passages: readonly SourcePassage[], text: string): SourcePassage[] {
  const sections = sectionSpans(text);
  return mergePassages(
    passages.map((passage) => {
      // The document has changed since it was indexed.
      if (text.slice(passage.start, passage.end) !== passage.text) return passage;
      const start = Math.min(passage.start, completeSection(sections, passage.start)?.start ?? passage.start);
      const end = Math.max(passage.end, completeSection(sections, passage.end - 1)?.end ?? passage.end);
      return { ...passage, text: text.slice(start, end), start, end };
    }),
  );
}

/** Returns the section at an offset, or undefined if it is too long. */
function completeSection(sections: readonly SectionSpan[], offset: number): SectionSpan | undefined {
  const section = sections.find(({ end }) => offset < end);
  return section && section.end - section.start <= MAX_SECTION ? section : undefined;
}
