import { wordId } from '@lectern/embeddings';
import { type AnalyzedQuery, importanceOf, type QueryTerm } from '@lectern/text';

/** The words of a query whose highest scores are looked up. */
export interface QueryParts {
  /** Ids of terms, each once; the likeliest readings first. */
  readonly ids: readonly number[];
  readonly words: readonly QueryWord[];
}

/** A word of the query: its terms, and how strongly they indicate its subject. */
interface QueryWord {
  readonly terms: readonly QueryTerm[];
  readonly importance: number;
}

/** What each lookup of a term names. */
interface PartsScope {
  readonly principals?: readonly string[] | undefined;
  readonly collections?: readonly string[] | undefined;
}

/**
 * Each term costs a lookup that names all principals of the caller and all collections of the search.
 * Of a longer query the first terms stand for all of them.
 */
const MAX_PARTS = 32;
const MAX_NAMES = 50_000;

/** The highest weight that a passage gives a word, about: BM25 with k1 1.5 approaches 2.5. */
const USUAL_WEIGHT = 2;

export function queryParts(query: AnalyzedQuery, scope: PartsScope): QueryParts {
  const { principals = [], collections = [] } = scope;
  const most = Math.min(MAX_PARTS, Math.floor(MAX_NAMES / Math.max(1, principals.length + collections.length)));
  const words = [...Map.groupBy(query.terms, ({ start }) => start).values()].map((terms) => ({
    terms,
    importance: Math.max(...terms.map((term) => importanceOf(query, term))),
  }));
  const likeliestFirst = query.terms.toSorted((a, b) => b.weight - a.weight);
  const ids = new Set(likeliestFirst.map(({ term }) => wordId(term)));
  return { ids: [...ids].slice(0, most), words };
}

/** Returns the score of a word that occurs nowhere: as rare as a word can be. */
export function unknownWordScore(documents: number): number {
  return USUAL_WEIGHT * Math.log(1 + (documents + 0.5) / 0.5);
}

/**
 * The sum of the highest scores of a query's words, and the number of words that occur nowhere, both
 * weighted by importance.
 */
export interface BestScore {
  readonly known: number;
  readonly unknownWords: number;
}

/** The highest score of any passage in scope by id of a term; 0 if none has it. */
export type TermScores = ReadonlyMap<number, number>;

/** Returns the scores of the terms that were looked up; none if the search could find nothing. */
export function termScoresOf({ ids }: QueryParts, strongest: readonly number[]): TermScores {
  return new Map(strongest.flatMap((score, at) => (ids[at] === undefined ? [] : [[ids[at], score]])));
}

/**
 * Adds up the highest score that any passage has for each word of the query. A passage can reach
 * this sum only if it is the best one for every word.
 */
export function bestScore({ words }: QueryParts, scoreOf: TermScores): BestScore {
  const scores = words
    .map(({ terms, importance }) => ({ terms: terms.filter(({ term }) => scoreOf.has(wordId(term))), importance }))
    .filter(({ terms }) => terms.length > 0)
    .map(({ terms, importance }) => ({ score: importance * wordScore(terms, scoreOf), importance }));
  // Words beyond the limit count like the others.
  const scale = scores.length === 0 ? 1 : words.length / scores.length;
  const known = scores.reduce((sum, { score }) => sum + score, 0);
  const unknown = scores.reduce((sum, { score, importance }) => sum + (score === 0 ? importance : 0), 0);
  return { known: known * scale, unknownWords: unknown * scale };
}

/** A word's likeliest reading can have several terms; of the other readings the best one counts. */
function wordScore(terms: readonly QueryTerm[], scoreOf: TermScores): number {
  const score = ({ term, weight }: QueryTerm) => weight * (scoreOf.get(wordId(term)) ?? 0);
  const likeliest = terms.filter(({ weight }) => weight === 1).reduce((sum, term) => sum + score(term), 0);
  return Math.max(likeliest, ...terms.map(score));
}
