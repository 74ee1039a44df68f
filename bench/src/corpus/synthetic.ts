import type { Corpus, CorpusDocument, CorpusQuery } from '#corpus/corpus';
import { between, createRandom, type Random } from '#corpus/random';
import { createVocabulary, FUNCTION_WORD_COUNT } from '#corpus/vocabulary';
import { createZipf } from '#corpus/zipf';

/** The size and seed of a synthetic corpus. */
export interface SyntheticSize {
  readonly documents: number;
  readonly queries: number;
  readonly seed?: number;
}

const VOCABULARY = 20_000;
const TOPICS = 50;
const TOPIC_WORDS = 250;
/** The share of a document's words that come from its topic. */
const TOPIC_SHARE = 0.3;
const DOCUMENT_WORDS = { min: 200, max: 400 };
const QUERY_WORDS = { min: 2, max: 6 };

interface Language {
  readonly words: readonly string[];
  readonly topics: readonly (readonly string[])[];
  readonly anyWord: (random: Random) => number;
  readonly topicWord: (random: Random) => number;
}

/**
 * Creates a corpus like company documents: titles, headings, paragraphs, about 300 words each, word
 * frequencies by Zipf's law, topics that share words. Each query contains words of one document.
 * The same size and seed give the same corpus.
 */
export function createSyntheticCorpus({ documents, queries, seed = 1 }: SyntheticSize): Corpus {
  const random = createRandom(seed);
  const words = createVocabulary(random, VOCABULARY);
  const content = words.slice(FUNCTION_WORD_COUNT);
  const language: Language = {
    words,
    topics: Array.from({ length: TOPICS }, () =>
      Array.from({ length: TOPIC_WORDS }, () => content[between(random, 0, content.length - 1)] ?? ''),
    ),
    anyWord: createZipf(VOCABULARY, 1.05),
    topicWord: createZipf(TOPIC_WORDS, 0.8),
  };
  const generated = Array.from({ length: documents }, (_, at) => makeDocument(random, language, `doc-${at + 1}`));
  const functionWords = new Set(words.slice(0, FUNCTION_WORD_COUNT));
  return {
    name: `synthetic, seed ${seed}`,
    documents: generated,
    queries: Array.from({ length: queries }, (_, at) => makeQuery(random, functionWords, generated, `query-${at + 1}`)),
  };
}

function makeDocument(random: Random, language: Language, id: string): CorpusDocument {
  const topic = language.topics[between(random, 0, TOPICS - 1)] ?? [];
  const word = () =>
    (random() < TOPIC_SHARE ? topic[language.topicWord(random)] : language.words[language.anyWord(random)]) ?? '';
  const title = capitalized([...repeat(between(random, 2, 4), () => topic[language.topicWord(random)] ?? ''), word()]);
  const blocks: string[] = [];
  const wanted = between(random, DOCUMENT_WORDS.min, DOCUMENT_WORDS.max);
  for (let written = 0; written < wanted; ) {
    if (blocks.length > 0 && random() < 0.25) blocks.push(`## ${capitalized(repeat(between(random, 2, 4), word))}`);
    const sentences = repeat(between(random, 3, 6), () => repeat(between(random, 8, 22), word));
    written += sentences.reduce((sum, sentence) => sum + sentence.length, 0);
    blocks.push(sentences.map((sentence) => `${capitalized(sentence)}.`).join(' '));
  }
  return { id, title, text: blocks.join('\n\n') };
}

function makeQuery(
  random: Random,
  functionWords: ReadonlySet<string>,
  documents: readonly CorpusDocument[],
  id: string,
): CorpusQuery {
  const target = documents[between(random, 0, documents.length - 1)];
  if (!target) throw new Error('Queries need at least one document.');
  const words = (target.text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !functionWords.has(word));
  const queryWords = repeat(between(random, QUERY_WORDS.min, QUERY_WORDS.max), () => {
    return words[between(random, 0, words.length - 1)] ?? '';
  });
  return { id, text: queryWords.join(' '), relevant: new Set([target.id]) };
}

function repeat<T>(times: number, make: () => T): T[] {
  return Array.from({ length: times }, make);
}

function capitalized(words: readonly string[]): string {
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
