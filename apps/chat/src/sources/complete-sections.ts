import type { SourceDocument, SourcePassage } from '@lectern/grounding';
import { mapInSlices } from '@lectern/resilience';
import {
  codeSpans,
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
      const code = codeSpans(text);
      const named = documents === 0 ? [] : await namedSections(text, sections, terms, language, signal);
      const score = document.passages[0]?.score ?? 0;
      const added = named.map((span) => ({ ...span, text: text.slice(span.start, span.end), score }));
      return { ...document, passages: mergePassages([...extend(document.passages, [sections, code], text), ...added]) };
    }),
  );
  return [...complete, ...found.slice(first.length)];
}

/** Extends passages to complete sections or, if these are too long, to complete code. */
function extend(
  passages: readonly SourcePassage[],
  parts: readonly (readonly Span[])[],
  text: string,
): readonly SourcePassage[] {
  const partAt = (offset: number): Span | undefined =>
    parts.map((spans) => completePart(spans, offset)).find((span) => span !== undefined);
  return passages.map((passage) => {
    // The document has changed since it was indexed.
    if (text.slice(passage.start, passage.end) !== passage.text) return passage;
    const start = Math.min(passage.start, partAt(passage.start)?.start ?? passage.start);
    const end = Math.max(passage.end, partAt(passage.end - 1)?.end ?? passage.end);
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

/** Returns the span at an offset, or undefined if there is none or it is too long. */
function completePart(spans: readonly Span[], offset: number): Span | undefined {
  const part = spans.find(({ end }) => offset < end);
  return part && part.start <= offset && part.end - part.start <= MAX_SECTION ? part : undefined;
}
