import { wordId } from '@lectern/embeddings';
import { type Pausable, runInSlices } from '@lectern/resilience';
import { detectLanguage, type Language, likelyLanguages, visitTerms } from '@lectern/text';
import type { PassageText, ScopedRequest, VectorStore } from '@lectern/vector-store';
import { containsPhrase, type PhraseInLanguage, phraseCompiler } from '#match/phrase';
import type { ReadingBudget } from '#match/reading-budget';

/**
 * Groups of word ids: a document with the phrase has at least one id of each group. A word adds one
 * group for each term that it has in every language the documents may be in (for example the parts
 * of `ERR-1042`), and one for the rest. Words that are stopwords in one of the languages are left
 * out, unless all are.
 */
function wordGroups(text: string, languages: readonly Language[] | undefined): number[][] {
  const known = languages?.length ? languages : [...likelyLanguages(text), 'en' as const];
  const readings = [...new Set<Language>(known)].map((language) => wordsAt(text, language));
  const starts = [...new Set(readings.flatMap((reading) => [...reading.keys()]))];
  const words = starts.map((start) => readings.map((reading) => reading.get(start) ?? new Set<number>()));
  const certain = words.filter((ofWord) => ofWord.every((ids) => ids.size > 0));
  return (certain.length > 0 ? certain : words).flatMap((ofWord) => {
    const ids = [...new Set(ofWord.flatMap((one) => [...one]))];
    const common = ids.filter((id) => ofWord.every((one) => one.has(id)));
    return common.length > 0 ? common.map((id) => [id]) : [ids];
  });
}

/** Returns the ids of the words of a text by their offset. */
function wordsAt(text: string, language: Language): ReadonlyMap<number, ReadonlySet<number>> {
  const words = new Map<number, Set<number>>();
  visitTerms(text, language, (term, start) => words.set(start, (words.get(start) ?? new Set()).add(wordId(term))));
  return words;
}

/**
 * Returns the documents of a request that contain a phrase in text, title or a heading. Documents
 * with all of its words come from the index; these are then read, within the budget. Undefined for
 * a phrase of stopwords.
 */
export async function documentsWithPhrase(
  store: VectorStore,
  model: string,
  request: ScopedRequest,
  phrase: string,
  languages: readonly Language[] | undefined,
  budget: ReadingBudget,
): Promise<readonly string[] | undefined> {
  const words = wordGroups(phrase, languages);
  if (words.length === 0) return undefined;
  budget.takeDocuments(await store.countDocuments(model, { ...request, words }), phrase);
  const candidates = await store.listDocuments(model, { ...request, words });
  const { team, signal } = request;
  const passageCounts = await store.countByDocument(model, { team, documents: candidates, signal });
  budget.takePassages(
    [...passageCounts.values()].reduce((sum, count) => sum + count, 0),
    phrase,
  );
  const found: string[] = [];
  const inLanguage = phraseCompiler(phrase);
  for await (const passages of store.readTexts(model, { team, documents: candidates, signal })) {
    found.push(...(await runInSlices(documentsAmong(passages, inLanguage, phrase.length), signal)));
    signal?.throwIfAborted();
  }
  return found;
}

function* documentsAmong(
  passages: readonly PassageText[],
  inLanguage: PhraseInLanguage,
  phraseLength: number,
): Pausable<readonly string[]> {
  const found: string[] = [];
  for (const [document, parts] of Map.groupBy(passages, (passage) => passage.document)) {
    if (yield* anyContains(textsOf(parts), inLanguage, phraseLength)) found.push(document);
    yield;
  }
  return found;
}

function* anyContains(texts: readonly string[], inLanguage: PhraseInLanguage, phraseLength: number): Pausable<boolean> {
  for (const text of texts) {
    const language = detectLanguage(text);
    const phrase = inLanguage(language);
    if (phrase === undefined) continue;
    for (const window of windowsOf(text, phraseLength)) {
      if (containsPhrase(window, language, phrase)) return true;
      yield;
    }
  }
  return false;
}

/**
 * Characters of a long text to analyze before yielding to other requests, and the minimum overlap
 * of two windows.
 */
const WINDOW = { length: 32_768, overlap: 2_048 } as const;

/**
 * Splits a long text into windows that overlap by more than the phrase, so that one of them
 * contains the whole phrase.
 */
function* windowsOf(text: string, phraseLength: number): Generator<string> {
  const overlap = Math.min(WINDOW.overlap + 4 * phraseLength, WINDOW.length / 2);
  for (let from = 0; ; ) {
    const to = from + WINDOW.length;
    yield text.slice(from, to);
    if (to >= text.length) return;
    from = blankBefore(text, to - overlap, overlap / 4);
  }
}

/**
 * Returns the last space before `offset`, so that no word is cut, or `offset` if there is none
 * nearby, as in scripts without spaces.
 */
function blankBefore(text: string, offset: number, distance: number): number {
  for (let at = offset; at > offset - distance; at--) if (/\s/.test(text.charAt(at))) return at;
  return offset;
}

/**
 * Returns the texts that can contain a phrase: titles, headings, and each version's text, joined
 * from its passages, which overlap or follow each other.
 */
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
