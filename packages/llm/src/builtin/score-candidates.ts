import { extractTerms } from '@lectern/embeddings';
import { answerEvidence } from '#builtin/answer-evidence';
import type { Candidate } from '#builtin/candidates';
import { createTermMatcher, type TermMatch } from '#builtin/match-terms';
import type { Question } from '#builtin/question';
import { termWeights } from '#builtin/term-weights';

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
}

/** How far a question's term is credited to a unit when it stands not in it but near it. */
const NEARBY = { lead: 0.75, heading: 0.75, previous: 0.6, next: 0.35, title: 0.55, passage: 0.4 } as const;

/** Parts of a score. They add up to 1 for a unit that has everything. */
const PARTS = { coverage: 0.45, own: 0.2, bigrams: 0.08, evidence: 0.2, rank: 0.07 } as const;

/** Ranks units by how well they answer the question, best first; equals stay in order of the text. */
export function scoreCandidates(question: Question, candidates: readonly Candidate[]): ScoredCandidate[] {
  const match = createTermMatcher(question.terms);
  const own = new Map(candidates.map((candidate) => [candidate, match(candidate.terms)]));
  const nearby = createNearby(match, candidates, own);
  const weights = termWeights(question, candidates, own);
  const scored = candidates.map((candidate): ScoredCandidate => {
    const ownMatch = own.get(candidate) ?? [];
    const wide = strongest([ownMatch, ...nearby(candidate)]);
    const coverage = weighted(wide, weights);
    const ownCoverage = weighted(ownMatch, weights);
    const evidence = answerEvidence(question.expected, candidate.unit.text);
    const score =
      PARTS.coverage * coverage +
      PARTS.own * ownCoverage +
      PARTS.bigrams * bigramShare(question, candidate) +
      PARTS.evidence * evidence +
      PARTS.rank / (1 + candidate.passageRank) -
      formPenalty(candidate);
    return { candidate, score, coverage, ownCoverage, evidence, match: wide };
  });
  return scored.sort((a, b) => b.score - a.score);
}

type Nearby = (candidate: Candidate) => TermMatch[];

function createNearby(
  match: (terms: Iterable<string>) => TermMatch,
  candidates: readonly Candidate[],
  own: ReadonlyMap<Candidate, TermMatch>,
): Nearby {
  const texts = new Map<string, TermMatch>();
  const matchText = (text: string): TermMatch => {
    let known = texts.get(text);
    if (!known) {
      known = match(extractTerms(text));
      texts.set(text, known);
    }
    return known;
  };
  const passages = new Map<string, TermMatch>();
  for (const candidate of candidates) {
    const key = passageKey(candidate);
    passages.set(key, strongest([passages.get(key) ?? [], own.get(candidate) ?? []]));
  }
  return (candidate) => {
    const { unit, source, previous, next } = candidate;
    return [
      scaled(matchText(unit.lead), NEARBY.lead),
      scaled(matchText(unit.headings.join(' \n ')), NEARBY.heading),
      scaled(matchText(source.title), NEARBY.title),
      scaled((previous && own.get(previous)) ?? [], NEARBY.previous),
      scaled((next && own.get(next)) ?? [], NEARBY.next),
      scaled(passages.get(passageKey(candidate)) ?? [], NEARBY.passage),
    ];
  };
}

function passageKey({ source, passageIndex }: Candidate): string {
  return `${passageIndex} ${source.id}`;
}

function strongest(matches: readonly TermMatch[]): TermMatch {
  const length = Math.max(...matches.map((match) => match.length));
  return Array.from({ length }, (_, at) => Math.max(...matches.map((match) => match[at] ?? 0)));
}

function scaled(match: TermMatch, factor: number): TermMatch {
  return match.map((strength) => strength * factor);
}

/** Weighted mean of a match; the weights add up to 1. */
function weighted(match: TermMatch, weights: readonly number[]): number {
  return match.reduce((sum, strength, at) => sum + strength * (weights[at] ?? 0), 0);
}

function bigramShare(question: Question, { terms }: Candidate): number {
  if (question.bigrams.length === 0) return 0;
  const found = new Set(terms.slice(1).map((term, at) => `${terms[at]} ${term}`));
  return question.bigrams.filter((bigram) => found.has(bigram)).length / question.bigrams.length;
}

/** What makes a poor quote whatever it says: scraps, questions, lines that only introduce, walls of text. */
function formPenalty({ unit, terms }: Candidate): number {
  let penalty = 0;
  if (unit.kind === 'sentence' && terms.length < 3) penalty += 0.12;
  if (/\?["”’*_)]*$/.test(unit.text)) penalty += 0.15;
  if (/:$/.test(unit.text)) penalty += 0.08;
  if (unit.text.length > 600) penalty += 0.05;
  if (unit.kind === 'code') penalty += 0.05;
  return penalty;
}
