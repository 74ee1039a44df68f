import { detectLanguage, extractTerms, importanceOf, type Language, visitTerms } from '@lectern/text';
import type { FitDocument } from './beir.ts';

const K1 = 1.5;
const B = 0.75;
/** How often a term of the title counts. */
const TITLE = 2;
/** The highest weight that a document gives a word, about. */
const USUAL_WEIGHT = 2;

/** A document with its relevance like that of a search (docs/search.md), by words. */
export interface RankedDocument extends FitDocument {
  readonly relevance: number;
}

/** Ranks the documents that `keep` accepts, best first. */
export type Rank = (text: string, most: number, keep: (id: string) => boolean) => RankedDocument[];

/** Ranks whole documents in memory by BM25 (Robertson and Zaragoza, 2009). */
export function createRank(documents: readonly FitDocument[]): Rank {
  const language = detectLanguage(
    documents
      .slice(0, 20)
      .map(({ text }) => text)
      .join('\n'),
  );
  const postings = new Map<string, { readonly at: number; readonly count: number }[]>();
  const lengths = documents.map((document, at) => {
    const terms = termsOf(document, language);
    for (const [term, all] of Map.groupBy(terms, (term) => term)) {
      const list = postings.get(term) ?? [];
      list.push({ at, count: all.length });
      postings.set(term, list);
    }
    return terms.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  return (text, most, keep) => {
    const kept = documents.map(({ id }) => keep(id));
    const size = kept.filter(Boolean).length;
    const scores = new Map<number, number>();
    let best = 0;
    for (const { term, importance } of queryTerms(text, language)) {
      const list = (postings.get(term) ?? []).filter(({ at }) => kept[at]);
      const idf = importance * Math.log(1 + (size - list.length + 0.5) / (list.length + 0.5));
      let highest = 0;
      for (const { at, count } of list) {
        const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * (lengths[at] ?? 0)) / average));
        scores.set(at, (scores.get(at) ?? 0) + idf * weight);
        highest = Math.max(highest, weight);
      }
      best += idf * (list.length === 0 ? USUAL_WEIGHT : highest);
    }
    return [...scores]
      .sort(([a, left], [b, right]) => right - left || a - b)
      .slice(0, most)
      .flatMap(([at, score]) => {
        const document = documents[at];
        return document === undefined ? [] : [{ ...document, relevance: best === 0 ? 0 : score / best }];
      });
  };
}

function queryTerms(text: string, language: Language): { readonly term: string; readonly importance: number }[] {
  const terms: { readonly term: string; readonly importance: number }[] = [];
  visitTerms(text, language, (term, start, end) => {
    terms.push({ term, importance: importanceOf({ text, language }, { start, end }) });
  });
  return terms;
}

function termsOf({ title, heading: path = '', text }: FitDocument, language: Language): string[] {
  const heading = extractTerms(`${title} ${path}`, language);
  return [...Array.from({ length: TITLE }, () => heading).flat(), ...extractTerms(text, language)];
}
