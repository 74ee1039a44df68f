import { type Candidate, comparisonSides, readQuestion, runInSlices, scoreCandidates } from '@lectern/grounding';
import { answerAnalysis } from '#answer/answer-analysis';
import type { AnswerContext, AnswerShape } from '#answer/answer-context';
import { composePassage } from '#compose/compose-passage';
import { selectBest } from '#select-best';

const LIMITS = { most: 2, ratio: 0.85 } as const;
/** A sentence about one side should not be one about the other: how much its score there is held against it. */
const OTHER_SIDE = 0.35;
/** Share of a side's words that must be found for something to be said of it. */
const SPOKEN_OF = 0.6;

/** Two things against each other: what is said of each. A side of which nothing is said is named; with neither, nothing was found. */
export const answerComparison: AnswerShape = async (context) => {
  const sides = comparisonSides(context.question.text);
  if (!sides) return answerAnalysis(context);
  const [left, right] = sides;
  const leftUnits = await unitsFor(left, right, context);
  const rightUnits = await unitsFor(right, left, context);
  const { phrases, reply } = context;
  if (leftUnits.length === 0 && rightUnits.length === 0) return answerAnalysis(context);
  if (leftUnits[0] === rightUnits[0])
    return composePassage([...new Set([...leftUnits, ...rightUnits])], phrases, reply);
  writeSide(left, leftUnits, context);
  reply.say('\n\n');
  writeSide(right, rightUnits, context);
};

async function unitsFor(
  side: string,
  other: string,
  { candidates, question: { language } }: AnswerContext,
): Promise<Candidate[]> {
  const question = readQuestion(side, language);
  const scored = await runInSlices(scoreCandidates(question, candidates));
  if ((scored[0]?.coverage ?? 0) < SPOKEN_OF) return [];
  const forOther = await runInSlices(scoreCandidates(readQuestion(other, language), candidates));
  const elsewhere = new Map(forOther.map(({ candidate, score }) => [candidate, score]));
  const distinct = scored
    .map((entry) => ({ ...entry, score: entry.score - OTHER_SIDE * (elsewhere.get(entry.candidate) ?? 0) }))
    .sort((a, b) => b.score - a.score);
  return selectBest(distinct, LIMITS).map(({ candidate }) => candidate);
}

function writeSide(side: string, units: readonly Candidate[], { phrases, reply }: AnswerContext): void {
  if (units.length === 0) {
    reply.say(phrases.nothingAbout(side));
    return;
  }
  reply.say(`**${side.charAt(0).toUpperCase()}${side.slice(1)}**: `);
  for (const [at, unit] of units.entries()) {
    if (at > 0) reply.say(' ');
    reply.quote(unit);
  }
}
