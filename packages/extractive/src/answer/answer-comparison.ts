import { type Candidate, comparisonSides, readQuestion, scoreCandidates } from '@lectern/grounding';
import { runInSlices } from '@lectern/resilience';
import { answerAnalysis } from '#answer/answer-analysis';
import type { AnswerContext, AnswerShape } from '#answer/answer-context';
import { composePassage } from '#compose/compose-passage';
import { contradicts } from '#contradicts';
import { selectBest } from '#select-best';

const LIMITS = { max: 2, ratio: 0.89 } as const;
/** The share of a sentence's score for the other side that is subtracted. */
const OTHER_SIDE = 0.35;
/** The minimum coverage of a side's words for a quote about it. */
const MIN_COVERAGE = 0.6;

/** Compares two things with quotes about each, and names a side that the sources do not mention. */
export const answerComparison: AnswerShape = async (context) => {
  const sides = comparisonSides(context.question.text);
  if (!sides) return answerAnalysis(context);
  const [left, right] = sides;
  const leftUnits = await unitsFor(left, right, context);
  const rightUnits = await unitsFor(right, left, context);
  if (leftUnits.length === 0 && rightUnits.length === 0) return answerAnalysis(context);
  if (leftUnits[0] === rightUnits[0]) return composePassage([...new Set([...leftUnits, ...rightUnits])], context);
  writeSide(left, leftUnits, context);
  context.reply.write('\n\n');
  writeSide(right, rightUnits, context);
};

async function unitsFor(
  side: string,
  other: string,
  { candidates, missingFrom, question: { language } }: AnswerContext,
): Promise<Candidate[]> {
  const question = readQuestion(side, language);
  const scored = await runInSlices(scoreCandidates(question, candidates));
  if ((scored[0]?.coverage ?? 0) < MIN_COVERAGE) return [];
  const forOther = await runInSlices(scoreCandidates(readQuestion(other, language), candidates));
  const elsewhere = new Map(forOther.map(({ candidate, score }) => [candidate, score]));
  const distinct = scored
    .map((entry) => ({ ...entry, score: entry.score - OTHER_SIDE * (elsewhere.get(entry.candidate) ?? 0) }))
    .sort((a, b) => b.score - a.score);
  return selectBest(distinct, missingFrom, LIMITS).map(({ candidate }) => candidate);
}

function writeSide(side: string, units: readonly Candidate[], { phrases, reply }: AnswerContext): void {
  if (units.length === 0) {
    reply.write(phrases.nothingAbout(side));
    return;
  }
  reply.write(`**${side.charAt(0).toUpperCase()}${side.slice(1)}**: `);
  const [first, ...others] = units;
  if (first && others.some((unit) => contradicts(unit, first))) reply.write(`${phrases.contradiction} `);
  for (const [at, unit] of units.entries()) {
    if (at > 0) reply.write(' ');
    reply.quote(unit);
  }
}
