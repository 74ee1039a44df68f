import { detectLanguage, extractTerms, type Language } from '@lectern/text';
import type { FitDocument } from './beir.ts';

const K1 = 1.5;
const B = 0.75;
/** How often a term of the title counts. */
const TITLE = 2;

/** Ranks the documents that `keep` accepts, best first. */
export type Rank = (text: string, most: number, keep: (id: string) => boolean) => FitDocument[];

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
    const scores = new Map<number, number>();
    for (const term of extractTerms(text, language)) {
      const list = postings.get(term) ?? [];
      const idf = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5));
      for (const { at, count } of list) {
        const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * (lengths[at] ?? 0)) / average));
        scores.set(at, (scores.get(at) ?? 0) + idf * weight);
      }
    }
    return [...scores]
      .sort(([a, left], [b, right]) => right - left || a - b)
      .flatMap(([at]) => documents[at] ?? [])
      .filter(({ id }) => keep(id))
      .slice(0, most);
  };
}

function termsOf({ title, heading: path = '', text }: FitDocument, language: Language): string[] {
  const heading = extractTerms(`${title} ${path}`, language);
  return [...Array.from({ length: TITLE }, () => heading).flat(), ...extractTerms(text, language)];
}
