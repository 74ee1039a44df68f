import { readableText } from '@lectern/text';
import { answerEvidence } from '#evidence/answer-evidence';
import type { Candidate } from '#evidence/candidates';
import { createTermMatcher } from '#evidence/match-terms';
import type { Pausable } from '#evidence/pausable';
import type { Question } from '#evidence/question';
import { matchSurroundings, type Surroundings } from '#evidence/surroundings';
import { strongest, type TermMatch, weightedShare } from '#evidence/term-match';
import { termWeights } from '#evidence/term-weights';

export interface ScoredCandidate {
  readonly candidate: Candidate;
  /** How well it answers, for ranking; about 0 to 1. */
  readonly score: number;
  /** Share of the question's weight that it and its surroundings speak of, 0 to 1. */
  readonly coverage: number;
  /** The same for its own words alone. */
  readonly ownCoverage: number;
  /** How much it looks like the answer expected, 0 to 1; 0 where the question expects no particular form. */
  readonly evidence: number;
  readonly match: TermMatch;
  /** The same for its own words alone. */
  readonly own: TermMatch;
  /** Share of the question's weight that nothing in all the sources speaks of, 0 to 1; the same for every candidate. */
  readonly absent: number;
}

/** Parts of a score. They add up to 1 for a unit that has everything. */
const PARTS = { coverage: 0.5, own: 0.18, bigrams: 0.07, evidence: 0.18, rank: 0.07 } as const;
/** Gain of a unit whose first words are what was asked about: it speaks of that, others only mention it. */
const OPENS_WITH_SUBJECT = 0.05;
/** What a unit right under the heading that was asked for counts as saying itself. */
const UNDER_THE_HEADING = 1;

/** Ranks units by how well they answer the question, best first; equals stay in order of the text. */
export function* scoreCandidates(question: Question, candidates: readonly Candidate[]): Pausable<ScoredCandidate[]> {
  const surroundings = yield* matchSurroundings(candidates, createTermMatcher(question.terms), question.language);
  const weights = termWeights(
    question,
    [...surroundings.values()].map(({ own }) => own),
  );
  const anywhere = strongest([...surroundings.values()].map(({ wide }) => wide));
  const absent = weightedShare(
    anywhere.map((strength) => (strength === 0 ? 1 : 0)),
    weights,
  );
  const scored: ScoredCandidate[] = [];
  for (const [candidate, around] of surroundings) {
    const coverage = weightedShare(around.wide, weights);
    const ownCoverage = ownShare(around, coverage, weights);
    const evidence = answerEvidence(question.expected, readableText(candidate.unit.text), question.language);
    const score =
      PARTS.coverage * coverage +
      PARTS.own * ownCoverage +
      PARTS.bigrams * bigramShare(question, candidate) +
      PARTS.evidence * evidence +
      PARTS.rank / (1 + candidate.passageRank) +
      (opensWith(question, candidate) ? OPENS_WITH_SUBJECT : 0) -
      formPenalty(candidate);
    scored.push({ candidate, score, coverage, ownCoverage, evidence, match: around.wide, own: around.own, absent });
    yield;
  }
  return scored.sort((a, b) => b.score - a.score);
}

/** Half for what it says in all, half for what its best sentence says: words far apart need not belong together. */
function ownShare(around: Surroundings, coverage: number, weights: readonly number[]): number {
  const { own, sentences, underTheHeading } = around;
  const bestSentence = Math.max(0, ...sentences.map((sentence) => weightedShare(sentence, weights)));
  const share = (weightedShare(own, weights) + bestSentence) / 2;
  return underTheHeading ? Math.max(share, UNDER_THE_HEADING * coverage) : share;
}

function opensWith(question: Question, { terms }: Candidate): boolean {
  const opening = terms.slice(0, 2);
  return question.terms.some(({ term, generic }) => !generic && opening.includes(term));
}

function bigramShare(question: Question, { terms }: Candidate): number {
  if (question.bigrams.length === 0) return 0;
  const found = new Set(terms.slice(1).map((term, at) => `${terms[at]} ${term}`));
  return question.bigrams.filter((bigram) => found.has(bigram)).length / question.bigrams.length;
}

/** Characters from which on a unit is longer than a reader wants for one fact, and what each doubling costs. */
const LONG = 220;
const PER_DOUBLING = 0.035;

/** What makes a poor quote whatever it says: scraps, questions, lines that only introduce, walls of text. */
function formPenalty({ unit, terms }: Candidate): number {
  let penalty = Math.max(0, Math.log2(unit.text.length / LONG)) * PER_DOUBLING;
  if (unit.kind === 'sentence' && terms.length < 3) penalty += 0.12;
  if (/\?["”’*_)]*$/.test(unit.text)) penalty += 0.15;
  if (/:$/.test(unit.text)) penalty += 0.08;
  if (unit.kind === 'code') penalty += 0.05;
  return penalty;
}
