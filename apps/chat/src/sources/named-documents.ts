import type { SourceDocument } from '@lectern/grounding';
import { detectLanguage, extractTerms, headAndTail, type Language } from '@lectern/text';

/** Words of a request for a summary that name no document. English and German. */
const REQUEST =
  'summarize summarise summary overview recap digest outline brief short please give write make tell me document page file text key main points content contents ' +
  'zusammenfassen fasse fass zusammen zusammenfassung überblick kurz bitte gib schreibe dokument datei seite inhalt';

/** Words that stand beside a name as often as not: "the travel policy" may be the document "Travel". */
const KIND = 'policy handbook guide guideline guidelines manual report richtlinie handbuch leitfaden bericht';

/**
 * Which of the found documents a request for a summary names: those whose whole title it says ("summarise the travel policy", titled "Travel policy"
 * or "Travel"); else the one whose title holds all that it names ("Travel policy 2026"), where there is just one. Best first, as found.
 */
export function namedDocuments(message: string, found: readonly SourceDocument[]): readonly SourceDocument[] {
  const question = headAndTail(message);
  const language = detectLanguage(question);
  const without = termsOf(`${REQUEST}`, language);
  const asked = new Set([...termsOf(question, language)].filter((term) => !without.has(term)));
  const kinds = termsOf(KIND, language);
  const subject = [...asked].filter((term) => !kinds.has(term));
  const titled = found.map((document) => ({ document, title: [...termsOf(document.title, language)] }));
  const said = titled.filter(({ title }) => {
    const own = title.filter((term) => !kinds.has(term));
    return own.length > 0 ? own.every((term) => asked.has(term)) : title.some((term) => asked.has(term));
  });
  // "Travel" is not what "travel insurance" names where there is a document of that title.
  const longest = said.filter(({ title }) => !said.some((other) => isPartOf(title, other.title)));
  if (longest.length > 0) return longest.map(({ document }) => document);
  const holding = titled.filter(({ title }) => subject.length > 0 && subject.every((term) => title.includes(term)));
  return holding.length === 1 ? holding.map(({ document }) => document) : [];
}

const termsOf = (text: string, language: Language): ReadonlySet<string> => new Set(extractTerms(text, language));

function isPartOf(title: readonly string[], other: readonly string[]): boolean {
  return title.length < other.length && title.every((term) => other.includes(term));
}
