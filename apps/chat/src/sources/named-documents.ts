import type { SourceDocument } from '@lectern/grounding';
import { detectLanguage, extractTerms, headAndTail, type Language } from '@lectern/text';

/** Words of a summary request that are not part of a document's name. English and German. */
const REQUEST =
  'summarize summarise summary overview recap digest outline brief short please give write make tell me document page file text key main points content contents ' +
  'zusammenfassen fasse fass zusammen zusammenfassung überblick kurz bitte gib schreibe dokument datei seite inhalt';

/** Words that are optional in a name: "the travel policy" can be the document "Travel". */
const DOCUMENT_TYPES = 'policy handbook guide guideline guidelines manual report richtlinie handbuch leitfaden bericht';

/**
 * Returns the found documents that a summary request names, best first: those whose complete title
 * it contains ("summarize the travel policy" names "Travel policy" and "Travel"). If there are
 * none, the only document whose title contains the requested name ("Travel policy 2026").
 */
export function namedDocuments(message: string, found: readonly SourceDocument[]): readonly SourceDocument[] {
  const question = headAndTail(message);
  const language = detectLanguage(question);
  const ignored = termsOf(REQUEST, language);
  const questionTerms = new Set([...termsOf(question, language)].filter((term) => !ignored.has(term)));
  const kinds = termsOf(DOCUMENT_TYPES, language);
  const subject = [...questionTerms].filter((term) => !kinds.has(term));
  const titled = found.map((document) => ({ document, title: [...termsOf(document.title, language)] }));
  const contained = titled.filter(({ title }) => {
    const own = title.filter((term) => !kinds.has(term));
    return own.length > 0
      ? own.every((term) => questionTerms.has(term))
      : title.some((term) => questionTerms.has(term));
  });
  // "Travel insurance" does not name "Travel" if a document has the longer title.
  const longest = contained.filter(({ title }) => !contained.some((other) => isPartOf(title, other.title)));
  if (longest.length > 0) return longest.map(({ document }) => document);
  const candidates = titled.filter(({ title }) => subject.length > 0 && subject.every((term) => title.includes(term)));
  return candidates.length === 1 ? candidates.map(({ document }) => document) : [];
}

const termsOf = (text: string, language: Language): ReadonlySet<string> => new Set(extractTerms(text, language));

function isPartOf(title: readonly string[], other: readonly string[]): boolean {
  return title.length < other.length && title.every((term) => other.includes(term));
}
