import { createLetterOverlap } from '#evidence/letter-overlap';
import { type PassageSigns, passageKey, readPassages } from '#evidence/passage-signs';
import type { Pausable } from '#evidence/pausable';
import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { tellingWeights } from '#evidence/telling-weights';

/** What speaks for and against a unit being the answer; all but the margins from 0 to 1. */
export interface SupportSigns {
  /** The unit's score for ranking: words in and around it, pairs of them, the form of the answer. */
  readonly score: number;
  /** Share of the question's pieces of four letters that the unit has. */
  readonly unitLetters: number;
  /** The same for the passage with its title: bears compounds, endings and spellings that stems do not join. */
  readonly passageLetters: number;
  /** See `PassageSigns`. */
  readonly frequency: number;
  readonly exact: number;
  readonly title: number;
  /** The most of the question that any title retrieved speaks of: where another document is about the subject, this one is not. */
  readonly bestTitle: number;
  /** What the passage speaks of over the best passage of another document: retrieval without an answer finds equals. */
  readonly passageMargin: number;
  /** The unit's score over the best unit of another document. */
  readonly unitMargin: number;
  /** Names and figures of the question that are not near the unit. */
  readonly namesMissing: number;
  /** 1 where a figure of the question is not in the passage. */
  readonly figureMissing: number;
  /** How much the question says, up to a dozen terms: matching many is harder. */
  readonly length: number;
  /** 1 where the question expects no particular form. */
  readonly anyForm: number;
  /** 1 where something else than what was asked for is counted. */
  readonly countsOtherThings: number;
  /** 1 for a claim to be checked rather than a question: its words are all content. */
  readonly states: number;
  /** See `RareLetters`: of the passage with its title. */
  readonly rareLetters: number;
  readonly rareLettersMargin: number;
  readonly rareLettersOverAverage: number;
  /** Share of the question, by how much each word tells, that no passage found speaks of. */
  readonly spokenNowhere: number;
  /** The share of the question that a passage found speaks of on average: a question of a common subject finds many that are near. */
  readonly spokenOnAverage: number;
  /** The share that nothing found speaks of, by how rare its words are among the units found. */
  readonly absent: number;
  /** See `PassageSigns`. */
  readonly passageLength: number;
  /** 1 for the first document found, 1/2 for the second and so on: retrieval knows how rare words are at large. */
  readonly rank: number;
}

/** What the margins are where there is no other document to compare with. */
const NO_OTHER = { passage: 0.1, unit: 0.08 } as const;
const PASSAGE_MARGIN = { least: -0.2, most: 0.3 } as const;
const UNIT_MARGIN = { least: -0.1, most: 0.3 } as const;
/** A name or figure found no better than this (in the title or elsewhere in the passage) counts as missing. */
const FAINT = 0.35;
const MOST_TERMS = 12;
/** A term that is spoken of so strongly counts as said. */
const SAID = 0.7;
const FEWEST_WORDS_OF_A_CLAIM = 5;

/** Reads the signs of any unit of `scored`, all the units that a question was compared with, best first. */
export function* createSignReader(
  question: Question,
  scored: readonly ScoredCandidate[],
): Pausable<(entry: ScoredCandidate) => SupportSigns> {
  const { terms, expected, text } = question;
  const passages = yield* readPassages(
    question,
    scored.map(({ candidate }) => candidate),
  );
  const bestTitle = Math.max(0, ...[...passages.values()].map(({ title }) => title));
  const weights = tellingWeights(terms);
  const said = terms.map((_, at) => [...passages.values()].filter(({ match }) => (match[at] ?? 0) >= SAID).length);
  const spokenNowhere = sum(said.map((count, at) => (count === 0 ? (weights[at] ?? 0) : 0)));
  const spokenOnAverage = sum(said.map((count, at) => ((weights[at] ?? 0) * count) / Math.max(1, passages.size)));
  const ranks = documentRanks(scored);
  const letters = createLetterOverlap(text);
  const passageLetters = new Map<string, number>();
  for (const { candidate } of scored) {
    const { source, passageIndex } = candidate;
    const key = passageKey(candidate);
    if (passageLetters.has(key)) continue;
    passageLetters.set(key, letters(`${source.title} ${source.passages[passageIndex]?.text ?? ''}`));
    yield;
  }
  const anyForm = expected.type === 'any' || expected.type === 'definition';
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return (entry) => {
    const { candidate, score, evidence, match, absent } = entry;
    const { source, unit } = candidate;
    const passage = passages.get(passageKey(candidate));
    const otherUnit = scored.find((other) => other.candidate.source.id !== source.id);
    const otherShares = otherPassages(passages, source.id);
    const names = match.filter((_, at) => terms[at]?.specific);
    return {
      score,
      unitLetters: letters(unit.text),
      passageLetters: passageLetters.get(passageKey(candidate)) ?? 0,
      frequency: passage?.frequency ?? 0,
      exact: passage?.exact ?? 0,
      title: passage?.title ?? 0,
      bestTitle,
      passageMargin:
        otherShares.length === 0
          ? NO_OTHER.passage
          : within(PASSAGE_MARGIN, (passage?.share ?? 0) - Math.max(...otherShares)),
      unitMargin: otherUnit === undefined ? NO_OTHER.unit : within(UNIT_MARGIN, score - otherUnit.score),
      namesMissing: names.length === 0 ? 0 : names.filter((strength) => strength < FAINT).length / names.length,
      figureMissing: Number(terms.some(({ term }, at) => /\p{N}/u.test(term) && (passage?.match[at] ?? 0) < 1)),
      length: Math.min(MOST_TERMS, terms.length) / MOST_TERMS,
      anyForm: Number(anyForm),
      countsOtherThings: Number(expected.noun !== undefined && evidence < 1),
      states: Number(!/\?\s*$/.test(text) && words >= FEWEST_WORDS_OF_A_CLAIM),
      rareLetters: passage?.letters.share ?? 0,
      rareLettersMargin: passage?.letters.margin ?? 0,
      rareLettersOverAverage: passage?.letters.overAverage ?? 0,
      spokenNowhere,
      spokenOnAverage,
      absent,
      passageLength: passage?.length ?? 0,
      rank: 1 / (1 + (ranks.get(source.id) ?? 0)),
    };
  };
}

/** The places of documents among those found: by their best passage. */
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

function otherPassages(passages: ReadonlyMap<string, PassageSigns>, documentId: string): number[] {
  return [...passages.values()].filter((other) => other.documentId !== documentId).map(({ share }) => share);
}

function within({ least, most }: { readonly least: number; readonly most: number }, value: number): number {
  return Math.min(most, Math.max(least, value));
}
