import type { SourceDocument, SourcePassage } from '@lectern/grounding';
import { mapInSlices } from '@lectern/resilience';
import {
  detectLanguage,
  extractTerms,
  headAndTail,
  type Language,
  type SectionSpan,
  type Span,
  sectionSpans,
} from '@lectern/text';
import { mergePassages } from '#sources/merge-passages';
import type { TurnServices } from '#turn/turn-services';

/** Longer documents are not read for their sections, in UTF-16 code units. */
const MAX_DOCUMENT = 400_000;
/** The maximum length of a section that a passage is extended to, in UTF-16 code units. */
const MAX_SECTION = 6_000;
/** The maximum number of sections that are added to a document because the question names them. */
const MAX_NAMED = 2;
/** A passage that starts in the middle of a table or a list. */
const STARTS_INSIDE = /^\s*(?:\||[-*+•]\s|\d{1,3}[.)]\s)/;

/**
 * Extends the passages of the first documents to complete sections, so that steps, lists and tables
 * are whole, and adds sections whose headings the question names. With `documents` 0, only for the
 * first document, and only if one of its passages starts inside a table or list.
 */
export async function completeSections(
  services: TurnServices,
  question: string,
  found: readonly SourceDocument[],
  documents: number,
  signal: AbortSignal,
): Promise<readonly SourceDocument[]> {
  const isCut = found[0]?.passages.some(({ text }) => STARTS_INSIDE.test(text)) === true;
  const first = found.slice(0, Math.max(documents, Number(isCut)));
  if (first.length === 0) return found;
  const asked = headAndTail(question);
  const language = detectLanguage(asked);
  const terms = new Set(extractTerms(asked, language));
  const texts = await Promise.all(first.map(({ id }) => services.readDocument(id, signal)));
  const complete = await Promise.all(
    first.map(async (document, at) => {
      const text = texts[at];
      if (text === undefined || text.length > MAX_DOCUMENT) return document;
      const sections = sectionSpans(text);
      const named = documents === 0 ? [] : await namedSections(text, sections, terms, language, signal);
      const score = document.passages[0]?.score ?? 0;
      const added = named.map((span) => ({ ...span, text: text.slice(span.start, span.end), score }));
      return { ...document, passages: mergePassages([...extend(document.passages, sections, text), ...added]) };
    }),
  );
  return [...complete, ...found.slice(first.length)];
}

function extend(
  passages: readonly SourcePassage[],
  sections: readonly SectionSpan[],
  text: string,
): readonly SourcePassage[] {
  return passages.map((passage) => {
    // The document has changed since it was indexed.
    if (text.slice(passage.start, passage.end) !== passage.text) return passage;
    const start = Math.min(passage.start, completeSection(sections, passage.start)?.start ?? passage.start);
    const end = Math.max(passage.end, completeSection(sections, passage.end - 1)?.end ?? passage.end);
    return { ...passage, text: text.slice(start, end), start, end };
  });
}

/** Returns the sections whose headings consist of words of the question, most words first. */
async function namedSections(
  text: string,
  sections: readonly SectionSpan[],
  terms: ReadonlySet<string>,
  language: Language,
  signal: AbortSignal,
): Promise<readonly Span[]> {
  const short = sections.filter(({ start, end }) => end - start <= MAX_SECTION);
  const headed = await mapInSlices(
    short,
    (section) => ({ section, heading: extractTerms(text.slice(section.start, section.bodyStart), language) }),
    signal,
  );
  return headed
    .filter(({ heading }) => heading.length > 0 && heading.every((term) => terms.has(term)))
    .sort((a, b) => b.heading.length - a.heading.length)
    .slice(0, MAX_NAMED)
    .map(({ section: { start, end } }) => ({ start, end }));
}

/** Returns the section at an offset, or undefined if it is too long. */
function completeSection(sections: readonly SectionSpan[], offset: number): SectionSpan | undefined {
  const section = sections.find(({ end }) => offset < end);
  return section && section.end - section.start <= MAX_SECTION ? section : undefined;
}
