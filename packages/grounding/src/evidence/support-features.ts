import type { Pausable } from '@lectern/resilience';
import { extractTerms, hasUnspacedScript, readableText } from '@lectern/text';
import { createGramOverlap } from '#evidence/gram-overlap';
import { createTermMatcher } from '#evidence/match-terms';
import { type PassageFeatures, passageKey, readPassages } from '#evidence/passage-features';
import { priorWeights } from '#evidence/prior-weights';
import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { weightedShare } from '#evidence/term-match';

/** The features of the support model. All except the margins are from 0 to 1. */
export interface SupportFeatures {
  /**
   * The unit's ranking score: terms and pairs of terms in it and its context, and the form of the
   * answer.
   */
  readonly score: number;
  /** The share of the question's character grams in the unit. */
  readonly unitGrams: number;
  /** The same for the passage and its title. Robust to compounds, inflection and spelling. */
  readonly passageGrams: number;
  /** See `PassageFeatures`. */
  readonly frequency: number;
  readonly exact: number;
  readonly title: number;
  /**
   * The highest share of the question that any retrieved title mentions. High if another document
   * is about the subject.
   */
  readonly bestTitle: number;
  /**
   * The passage's share minus that of the best passage of another document. Near 0 if retrieval
   * found no answer.
   */
  readonly passageMargin: number;
  /** The unit's score minus that of the best unit of another document. */
  readonly unitMargin: number;
  /** The share of names and numbers of the question that are not near the unit. */
  readonly namesMissing: number;
  /** 1 if a number of the question is not in the passage. */
  readonly numberMissing: number;
  /** The number of terms of the question, up to a dozen, because more are harder to match. */
  readonly length: number;
  /** 1 if the question expects no particular form of answer. */
  readonly anyForm: number;
  /** 1 if the unit does not count the requested noun. */
  readonly countsOtherThings: number;
  /** The weighted share of the question in the unit itself, and in it and its context. */
  readonly own: number;
  readonly coverage: number;
  /** The share of the question that the unit's headings mention. */
  readonly heading: number;
  /** The largest weight of a term that is not in the unit, nor near it, relative to the heaviest. */
  readonly heaviestMissing: number;
  /** 1 if the question expects a form of answer that the unit does not have. */
  readonly otherForm: number;
  /**
   * 1 for a question in a script without spaces, whose grams are pairs of characters, and the same
   * times both shares of grams.
   */
  readonly isUnspaced: number;
  readonly unspacedUnitGrams: number;
  readonly unspacedPassageGrams: number;
  /** 1 for a table row or cell, and for code. */
  readonly isTable: number;
  readonly isCode: number;
  /** See `RareGrams`: for the passage and its title. */
  readonly rareGrams: number;
  readonly rareGramsMargin: number;
  readonly rareGramsOverAverage: number;
  /** The share of the question, by prior weights, that no retrieved passage mentions. */
  readonly uncovered: number;
  /**
   * The average share of the question that retrieved passages mention. High for common subjects.
   */
  readonly averageCoverage: number;
  /** The share that no retrieved unit mentions, weighted by rarity among the units. */
  readonly absent: number;
  /** See `PassageFeatures`. */
  readonly passageLength: number;
  /** The reciprocal rank of the document in retrieval. */
  readonly rank: number;
  /** How well the search matched the unit's document, 0 to 1. */
  readonly relevance: number;
}

/** The margins if there is no other document. */
const NO_OTHER = { passage: 0.1, unit: 0.08 } as const;
const PASSAGE_MARGIN = { min: -0.2, max: 0.3 } as const;
const UNIT_MARGIN = { min: -0.1, max: 0.3 } as const;
/** A name or number with a weaker match counts as missing. */
const WEAK = 0.35;
const MAX_TERMS = 12;
/**
 * The relevance of a source that no search has returned, and of all sources for a question in a
 * script without spaces: there, the relevance depends on how the search splits words.
 */
const USUAL_RELEVANCE = 0.6;
/** A term with at least this match counts as mentioned. */
const MENTIONED = 0.7;

/**
 * Creates a function that computes the features of a unit. `scored` contains all units for the
 * question, best first.
 */
export function* createFeatureReader(
  question: Question,
  scored: readonly ScoredCandidate[],
): Pausable<(entry: ScoredCandidate) => SupportFeatures> {
  const { terms, expected, text, language } = question;
  const passages = yield* readPassages(
    question,
    scored.map(({ candidate }) => candidate),
  );
  const bestTitle = Math.max(0, ...[...passages.values()].map(({ title }) => title));
  const weights = priorWeights(terms);
  const mentions = terms.map(
    (_, at) => [...passages.values()].filter(({ match }) => (match[at] ?? 0) >= MENTIONED).length,
  );
  const uncovered = sum(mentions.map((count, at) => (count === 0 ? (weights[at] ?? 0) : 0)));
  const averageCoverage = sum(mentions.map((count, at) => ((weights[at] ?? 0) * count) / Math.max(1, passages.size)));
  const ranks = documentRanks(scored);
  const overlap = createGramOverlap(text);
  const passageGrams = new Map<string, number>();
  for (const { candidate } of scored) {
    const { source, passageIndex } = candidate;
    const key = passageKey(candidate);
    if (passageGrams.has(key)) continue;
    passageGrams.set(key, overlap(`${source.title} ${source.passages[passageIndex]?.text ?? ''}`));
    yield;
  }
  const isUnspaced = Number(hasUnspacedScript(text));
  const anyForm = expected.type === 'any' || expected.type === 'definition';
  const heaviest = Math.max(0, ...weights);
  const matchOf = createTermMatcher(terms);
  const headingShares = new Map<string, number>();
  const headingShare = (headings: readonly string[]): number => {
    const heading = headings.join('\n');
    const share =
      headingShares.get(heading) ?? weightedShare(matchOf(extractTerms(readableText(heading), language)), weights);
    headingShares.set(heading, share);
    return share;
  };
  return (entry) => {
    const { candidate, score, evidence, match, own, absent } = entry;
    const { source, unit } = candidate;
    const passage = passages.get(passageKey(candidate));
    const unitGrams = overlap(unit.text);
    const ofPassage = passageGrams.get(passageKey(candidate)) ?? 0;
    const otherUnit = scored.find((other) => other.candidate.source.id !== source.id);
    const otherShares = otherPassages(passages, source.id);
    const names = match.filter((_, at) => terms[at]?.specific);
    return {
      score,
      unitGrams,
      passageGrams: ofPassage,
      frequency: passage?.frequency ?? 0,
      exact: passage?.exact ?? 0,
      title: passage?.title ?? 0,
      bestTitle,
      passageMargin:
        otherShares.length === 0
          ? NO_OTHER.passage
          : clamp(PASSAGE_MARGIN, (passage?.share ?? 0) - Math.max(...otherShares)),
      unitMargin: otherUnit === undefined ? NO_OTHER.unit : clamp(UNIT_MARGIN, score - otherUnit.score),
      namesMissing: names.length === 0 ? 0 : names.filter((strength) => strength < WEAK).length / names.length,
      numberMissing: Number(terms.some(({ term }, at) => /\p{N}/u.test(term) && (passage?.match[at] ?? 0) < 1)),
      length: Math.min(MAX_TERMS, terms.length) / MAX_TERMS,
      anyForm: Number(anyForm),
      countsOtherThings: Number(expected.noun !== undefined && evidence < 1),
      own: weightedShare(own, weights),
      coverage: weightedShare(match, weights),
      heading: headingShare(unit.headings),
      heaviestMissing:
        Math.max(0, ...weights.map((weight, at) => weight * (1 - (match[at] ?? 0)))) / Math.max(heaviest, 1e-9),
      otherForm: Number(!anyForm && evidence === 0),
      isUnspaced,
      unspacedUnitGrams: isUnspaced * unitGrams,
      unspacedPassageGrams: isUnspaced * ofPassage,
      isTable: Number(unit.kind === 'table_row' || unit.kind === 'table_cell'),
      isCode: Number(unit.kind === 'code'),
      rareGrams: passage?.grams.share ?? 0,
      rareGramsMargin: passage?.grams.margin ?? 0,
      rareGramsOverAverage: passage?.grams.overAverage ?? 0,
      uncovered,
      averageCoverage,
      absent,
      passageLength: passage?.length ?? 0,
      rank: 1 / (1 + (ranks.get(source.id) ?? 0)),
      relevance: isUnspaced === 1 ? USUAL_RELEVANCE : (source.relevance ?? USUAL_RELEVANCE),
    };
  };
}

/** Returns the rank of each document by its best passage. */
function documentRanks(scored: readonly ScoredCandidate[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  for (const { candidate } of scored) {
    const { source, passageRank } = candidate;
    best.set(source.id, Math.min(best.get(source.id) ?? passageRank, passageRank));
  }
  const ids = [...best].sort(([, a], [, b]) => a - b).map(([id]) => id);
  return new Map(ids.map((id, rank) => [id, rank]));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function otherPassages(passages: ReadonlyMap<string, PassageFeatures>, documentId: string): number[] {
  return [...passages.values()].filter((other) => other.documentId !== documentId).map(({ share }) => share);
}

function clamp({ min, max }: { readonly min: number; readonly max: number }, value: number): number {
  return Math.min(max, Math.max(min, value));
}
