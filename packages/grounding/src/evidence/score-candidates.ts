import type { Pausable } from '@lectern/resilience';
import { readableText } from '@lectern/text';
import { answerEvidence } from '#evidence/answer-evidence';
import type { Candidate } from '#evidence/candidates';
import { type ContextMatch, matchInContext } from '#evidence/context-match';
import { createTermMatcher } from '#evidence/match-terms';
import type { Question } from '#evidence/question';
import { strongest, type TermMatch, weightedShare } from '#evidence/term-match';
import { termWeights } from '#evidence/term-weights';

export interface ScoredCandidate {
  readonly candidate: Candidate;
  /** How well it answers, for ranking, about 0 to 1. */
  readonly score: number;
  /** The weighted share of the question that it and its context mention, 0 to 1. */
  readonly coverage: number;
  /** The same for its own words only. */
  readonly ownCoverage: number;
  /**
   * How much it has the form of the expected answer, 0 to 1; 0 if the question expects no
   * particular form.
   */
  readonly evidence: number;
  readonly match: TermMatch;
  /** The same for its own words only. */
  readonly own: TermMatch;
  /**
   * The weighted share of the question that no source mentions, 0 to 1. The same for every
   * candidate.
   */
  readonly absent: number;
}

/** The parts of a score, whose sum is about 1.3 for a perfect unit. */
const PARTS = {
  coverage: 0.5,
  own: 0.18,
  bigrams: 0.07,
  evidence: 0.18,
  rank: 0.07,
  retrieval: 0.2,
  heading: 0.15,
} as const;
/** The share of what title, headings, lead-in and the unit cover together that counts as the unit's own. */
const HEADED = 0.9;
/** The bonus for a unit that starts with the subject of the question. */
const STARTS_WITH_SUBJECT = 0.05;
/**
 * The share of its context's coverage that is added to the coverage of a unit under a matching
 * heading.
 */
const UNDER_THE_HEADING = 1;

/**
 * Ranks units by how well they answer the question, best first. Ties keep the order of the text.
 */
export function* scoreCandidates(question: Question, candidates: readonly Candidate[]): Pausable<ScoredCandidate[]> {
  const inContext = yield* matchInContext(candidates, createTermMatcher(question.terms), question.language);
  const weights = termWeights(
    question,
    [...inContext.values()].map(({ own }) => own),
  );
  const anywhere = strongest([...inContext.values()].map(({ wide }) => wide));
  const absent = weightedShare(
    anywhere.map((strength) => (strength === 0 ? 1 : 0)),
    weights,
  );
  const scored: ScoredCandidate[] = [];
  for (const [candidate, around] of inContext) {
    const coverage = weightedShare(around.wide, weights);
    const ownCoverage = ownShare(around, coverage, weights);
    const { text, kind } = candidate.unit;
    const evidence = answerEvidence(question.expected, readableText(text), question.language, kind === 'table_row');
    const score =
      PARTS.coverage * coverage +
      PARTS.own * ownCoverage +
      PARTS.bigrams * bigramShare(question, candidate) +
      PARTS.evidence * evidence +
      PARTS.rank / (1 + candidate.passageRank) +
      PARTS.retrieval * candidate.retrieval +
      PARTS.heading * around.headingFit +
      (startsWithSubject(question, candidate) ? STARTS_WITH_SUBJECT : 0) -
      formPenalty(candidate);
    scored.push({ candidate, score, coverage, ownCoverage, evidence, match: around.wide, own: around.own, absent });
    yield;
  }
  return scored.sort((a, b) => b.score - a.score);
}

/**
 * Returns the mean of the unit and its best sentence, because words that are far apart can be
 * unrelated.
 */
function ownShare(around: ContextMatch, coverage: number, weights: readonly number[]): number {
  const { own, sentences, headed, underTheHeading } = around;
  const bestSentence = Math.max(0, ...sentences.map((sentence) => weightedShare(sentence, weights)));
  const share = Math.max((weightedShare(own, weights) + bestSentence) / 2, HEADED * weightedShare(headed, weights));
  return underTheHeading ? Math.max(share, UNDER_THE_HEADING * coverage) : share;
}

function startsWithSubject(question: Question, { terms }: Candidate): boolean {
  const opening = terms.slice(0, 2);
  return question.terms.some(({ term, generic }) => !generic && opening.includes(term));
}

function bigramShare(question: Question, { terms }: Candidate): number {
  if (question.bigrams.length === 0) return 0;
  const found = new Set(terms.slice(1).map((term, at) => `${terms[at]} ${term}`));
  return question.bigrams.filter((bigram) => found.has(bigram)).length / question.bigrams.length;
}

/** The length above which a unit is penalized, and the penalty for each doubling. */
const LONG = 220;
const PER_DOUBLING = 0.035;

/** Returns the penalty for poor quotes: fragments, questions, lead-ins and very long units. */
function formPenalty({ unit, terms }: Candidate): number {
  let penalty = Math.max(0, Math.log2(unit.text.length / LONG)) * PER_DOUBLING;
  if (unit.kind === 'sentence' && terms.length < 3) penalty += 0.12;
  if (/\?["”’*_)]*$/.test(unit.text)) penalty += 0.15;
  if (/:$/.test(unit.text)) penalty += 0.08;
  if (unit.kind === 'code') penalty += 0.05;
  return penalty;
}
