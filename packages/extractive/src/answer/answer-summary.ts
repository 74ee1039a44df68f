import { type Candidate, overlap, type ScoredCandidate } from '@lectern/grounding';
import type { AnswerContext, AnswerShape } from '#answer/answer-context';
import { bulletsOpening, composeBullets } from '#compose/compose-bullets';
import { composeNoAnswer } from '#compose/compose-no-answer';
import { selectCentral } from '#select-central';

/** The minimum coverage of the subject, including titles and headings, for a summary. */
const MIN_COVERAGE = 0.5;
/**
 * Units with at least this share of the best coverage are about the subject: a whole document whose
 * title names it, otherwise the sections and sentences that do. Names of the question need it too.
 */
const ON_SUBJECT = 0.5;

/** Summarizes a document or a subject with its most central sentences. */
export const answerSummary: AnswerShape = (context) => {
  const units = unitsOnSubject(context);
  const picked = selectCentral(units, overlap);
  const { phrases, reply } = context;
  if (picked.length === 0) return composeNoAnswer(context);
  composeBullets(picked, bulletsOpening(picked, phrases), reply);
};

function unitsOnSubject({ question, candidates, scored }: AnswerContext): readonly Candidate[] {
  if (question.subjectless) return candidates;
  const best = Math.max(0, ...scored.map(({ coverage }) => coverage));
  if (best < MIN_COVERAGE) return [];
  const names = question.terms.flatMap(({ specific }, at) => (specific ? [at] : []));
  const namedNear = ({ match }: ScoredCandidate): boolean => names.every((at) => (match[at] ?? 0) >= ON_SUBJECT);
  const onSubject = scored.filter(({ coverage }) => coverage >= best * ON_SUBJECT);
  const named = onSubject.filter(namedNear);
  const selected = new Set((named.length > 0 ? named : onSubject).map(({ candidate }) => candidate));
  return candidates.filter((candidate) => selected.has(candidate));
}
