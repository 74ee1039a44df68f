import type { Ranking } from '#search/run-legs';
import type { FoundPassage, Fusion, LegScores, LegWeights } from '#search/search-request';

/** A passage found by at least one passage leg. */
interface Candidate {
  readonly id: string;
  /** The key of its document. */
  readonly key: string;
  readonly score: number;
  /** The score of each leg that found it. */
  readonly scores: LegScores;
}

/** A document found by at least one leg. */
export interface DocumentCandidate {
  readonly key: string;
  readonly score: number;
  /** Best first. Empty if only the document leg found it. */
  readonly passages: readonly Candidate[];
  /** The point that represents the document: its best passage, else its first one. */
  readonly point: string;
}

type LegName = Ranking['name'];

/**
 * The scaled score of a leg's last passage, so that it ranks above passages that the leg did not
 * find.
 */
const LAST = 0.01;

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): each leg adds `1 /
 * (60 + rank)`, with ranks from 1.
 */
const RANK_CONSTANT = 60;

/**
 * With a fusion by score, the document leg has its whole weight if its scores differ at least by this
 * share of the passages' scores, and less by the square of what is missing. In ten long documents most
 * words are in almost every one: what still differs is their length more than their subject.
 */
const FULL_DOCUMENT_RANGE = 1 / 1.8;

/**
 * With a fusion by score, the document leg has up to this many times its weight more, by the share of
 * its first documents that are not among the first ones of the passages. They differ if the words of
 * the query are spread over several passages of a document, and then only whole documents show which
 * ones have all of them. If each document is one passage, both legs rank almost alike.
 */
const DIFFERENCE = { weight: 2, documents: 20 } as const;

/** How the rankings are combined. */
export interface FusionSettings {
  /** Undefined: scores are added as they are. */
  readonly fusion: Fusion | undefined;
  readonly weights: LegWeights & { readonly document: number };
}

/**
 * Combines the rankings, best document first. A document's score is that of its best passage in the
 * passage legs plus its share of the document leg, divided by the sum of the weights of the legs that
 * were searched. With a fusion, 1 is therefore the score of a document that is first in every leg.
 * Rankings of one leg in several spaces are merged, because their scores are all cosines. Equal
 * scores are ordered by key, so that pages never overlap.
 */
export function fuse(rankings: readonly Ranking[], requested: FusionSettings): DocumentCandidate[] {
  const merged = [...Map.groupBy(rankings, ({ name }) => name)].map(([name, parts]) => ({
    name,
    passages: merge(parts),
  }));
  const settings = { ...requested, weights: weightsFor(merged, requested) };
  const legs = merged.map(({ name, passages }): Leg => {
    return { name, passages, most: mostOf(name, settings), shareOf: sharesOf(name, passages, settings) };
  });
  const documentLeg = legs.find(({ name }) => name === 'document');
  const passages = fusePassages(legs.filter((leg) => leg !== documentLeg));
  const ofPassages = sumOf(legs.filter((leg) => leg !== documentLeg));
  const best = ofPassages + (documentLeg?.most ?? 0);
  const documents = new Map<string, DocumentCandidate>();
  for (const [key, found] of Map.groupBy(passages, (passage) => passage.key)) {
    const [first] = found.sort(bestFirst);
    if (!first) continue;
    documents.set(key, { key, score: (first.score * ofPassages) / best, passages: found, point: first.id });
  }
  for (const [rank, { id, key, score }] of firstOfEach(documentLeg?.passages ?? []).entries()) {
    const known = documents.get(key) ?? { key, score: 0, passages: [], point: id };
    const share = documentLeg?.shareOf(score, rank) ?? 0;
    documents.set(key, { ...known, score: known.score + share / best });
  }
  return [...documents.values()].sort((a, b) => b.score - a.score || compare(a.key, b.key));
}

/** Returns the weights with that of the document leg: 0 if it was not searched. */
function weightsFor(
  legs: readonly Pick<Leg, 'name' | 'passages'>[],
  { fusion, weights }: FusionSettings,
): FusionSettings['weights'] {
  const documents = legs.find(({ name }) => name === 'document')?.passages;
  if (documents === undefined) return { ...weights, document: 0 };
  const passages = legs.find(({ name }) => name === 'keyword')?.passages ?? [];
  const words = rangeOf(passages);
  if (fusion !== 'score' || words === 0) return weights;
  const share = Math.min(1, rangeOf(documents) / words / FULL_DOCUMENT_RANGE) ** 2;
  const factor = Math.max(LAST, share) * (1 + DIFFERENCE.weight * differenceOf(documents, passages));
  return { ...weights, document: weights.document * factor };
}

/** Returns the share of the first documents of a ranking that are not among the first ones of another. */
function differenceOf(documents: readonly FoundPassage[], others: readonly FoundPassage[]): number {
  const first = firstDocuments(documents);
  const known = firstDocuments(others);
  const missing = [...first].filter((key) => !known.has(key));
  return missing.length / Math.max(1, first.size);
}

function firstDocuments(passages: readonly FoundPassage[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { key } of passages) {
    if (keys.size === DIFFERENCE.documents) break;
    keys.add(key);
  }
  return keys;
}

function rangeOf(passages: readonly FoundPassage[]): number {
  return (passages.at(0)?.score ?? 0) - (passages.at(-1)?.score ?? 0);
}

/** A leg's ranking, the contribution of each of its passages, and the largest contribution. */
interface Leg {
  readonly name: LegName;
  readonly passages: readonly FoundPassage[];
  readonly most: number;
  readonly shareOf: (score: number, rank: number) => number;
}

/** Adds the legs' contributions to each passage. With a fusion, 1 is first in every leg. */
function fusePassages(legs: readonly Leg[]): Candidate[] {
  const best = sumOf(legs);
  const candidates = new Map<string, CandidateDraft>();
  for (const { name, passages, shareOf } of legs) {
    if (name === 'document') continue;
    for (const [rank, { id, key, score }] of passages.entries()) {
      let candidate = candidates.get(id);
      if (candidate === undefined) {
        candidate = { id, key, score: 0, scores: {} };
        candidates.set(id, candidate);
      }
      candidate.score += shareOf(score, rank) / best;
      candidate.scores[name] = score;
    }
  }
  return [...candidates.values()];
}

/** A candidate while the legs are added up. */
interface CandidateDraft extends Omit<Candidate, 'score' | 'scores'> {
  score: number;
  scores: { -readonly [Name in keyof LegScores]: LegScores[Name] };
}

function sumOf(legs: readonly Leg[]): number {
  return legs.reduce((sum, { most }) => sum + most, 0);
}

/** Returns a leg's contribution to a passage by score and rank (from 0). */
function sharesOf(
  name: LegName,
  passages: readonly FoundPassage[],
  { fusion, weights }: FusionSettings,
): (score: number, rank: number) => number {
  const weight = weights[name];
  if (fusion === undefined) return (score) => weight * score;
  if (fusion === 'rank') return (_score, rank) => rankWeight(name, weights) / (RANK_CONSTANT + rank + 1);
  const lowest = passages.at(-1)?.score ?? 0;
  const range = rangeOf(passages);
  return (score) => weight * (range === 0 ? 1 : LAST + (1 - LAST) * ((score - lowest) / range));
}

/** Returns a leg's contribution to its first passage; without a fusion, its weight. */
function mostOf(name: LegName, { fusion, weights }: FusionSettings): number {
  return fusion === 'rank' ? rankWeight(name, weights) / (RANK_CONSTANT + 1) : weights[name];
}

/**
 * By rank, both legs of words together count as much as the semantic leg. They often agree, so they
 * would outvote it.
 */
function rankWeight(name: LegName, { document }: FusionSettings['weights']): number {
  if (name === 'semantic') return 1;
  return (name === 'document' ? document : 1) / (1 + document);
}

/**
 * Sorts best first, equal scores by id. A passage that is moving between two spaces can be in both,
 * so the better rank counts.
 */
function merge(parts: readonly Ranking[]): FoundPassage[] {
  const passages = parts.flatMap(({ passages }) => passages);
  passages.sort((a, b) => b.score - a.score || compare(a.id, b.id));
  if (parts.length === 1) return passages;
  const seen = new Set<string>();
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** While two versions of a document are stored, the better one counts. */
function firstOfEach(found: readonly FoundPassage[]): FoundPassage[] {
  const seen = new Set<string>();
  return found.filter(({ key }) => !seen.has(key) && seen.add(key));
}

function bestFirst(a: Candidate, b: Candidate): number {
  return b.score - a.score || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
