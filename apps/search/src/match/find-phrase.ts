import { detectLanguage, type Language, queryWords } from '@lectern/embeddings';
import type { PassageText, ScopedRequest, VectorStore } from '@lectern/vector-store';
import { compilePhrase, holdsPhrase, type Phrase } from '#match/phrase';

const WORDS = /[^\s]+/g;

/** For each word of a text, the ids that it may have in the index; words without any, such as stopwords, are left out. */
export function wordGroups(text: string): number[][] {
  const groups = (text.match(WORDS) ?? []).map((word) => [...queryWords(word).indices]);
  return groups.filter((group) => group.length > 0);
}

/**
 * The documents within a request in which a phrase stands, in the text, the title or a heading. First those that have all of its words, which the
 * index tells; these are then read. Undefined for a phrase of stopwords.
 */
export async function documentsWithPhrase(
  store: VectorStore,
  model: string,
  request: ScopedRequest,
  phrase: string,
): Promise<readonly string[] | undefined> {
  const words = wordGroups(phrase);
  if (words.length === 0) return undefined;
  const candidates = await store.listDocuments(model, { ...request, words });
  const found: string[] = [];
  const { team, signal } = request;
  const inLanguage = compiler(phrase);
  for await (const passages of store.readTexts(model, { team, documents: candidates, signal })) {
    for (const [document, parts] of Map.groupBy(passages, (passage) => passage.document)) {
      if (textsOf(parts).some((text) => holds(text, inLanguage))) found.push(document);
    }
  }
  return found;
}

type InLanguage = (language: Language) => Phrase | undefined;

function holds(text: string, inLanguage: InLanguage): boolean {
  const language = detectLanguage(text);
  const phrase = inLanguage(language);
  return phrase !== undefined && holdsPhrase(text, language, phrase);
}

/** The phrase as the texts of each language have it, analysed once a language. */
function compiler(phrase: string): InLanguage {
  const known = new Map<Language, Phrase | undefined>();
  return (language) => {
    if (!known.has(language)) known.set(language, compilePhrase(phrase, language));
    return known.get(language);
  };
}

/** What a phrase may stand in: titles, headings, and each version's text put together from its passages, which overlap or follow each other. */
function textsOf(passages: readonly PassageText[]): string[] {
  const texts = new Set<string>();
  for (const { title, heading } of passages) texts.add(title).add(heading);
  for (const parts of Map.groupBy(passages, ({ version }) => version).values()) {
    let text = '';
    let covered = 0;
    for (const part of parts.toSorted((a, b) => a.start - b.start)) {
      if (part.end <= covered) continue;
      text += part.start > covered ? `\n${part.text}` : part.text.slice(covered - part.start);
      covered = part.end;
    }
    texts.add(text);
  }
  return [...texts];
}
