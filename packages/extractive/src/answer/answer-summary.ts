import { type Candidate, overlap, type ScoredCandidate } from '@lectern/grounding';
import type { AnswerContext, AnswerShape } from '#answer/answer-context';
import { bulletsOpening, composeBullets } from '#compose/compose-bullets';
import { selectCentral } from '#select-central';

/** The subject must be spoken of this much, counting titles and headings, to be summed up at all. */
const LEAST_COVERAGE = 0.5;
/**
 * Units covering at least this share of what the best one covers are about the subject: all of a document whose title names it, otherwise the
 * sections and sentences that do, but not what merely stands in the same passage. The same share is asked of each name in the question.
 */
const ON_SUBJECT = 0.5;

/** What a document or a subject is about: the most central sentences of what was retrieved of it. */
export const answerSummary: AnswerShape = (context) => {
  const units = unitsOnSubject(context);
  const picked = selectCentral(units, overlap);
  const { phrases, reply } = context;
  if (picked.length === 0) return reply.say(phrases.notFound);
  composeBullets(picked, bulletsOpening(picked, phrases), reply);
};

function unitsOnSubject({ question, candidates, scored }: AnswerContext): readonly Candidate[] {
  if (question.subjectless) return candidates;
  const best = Math.max(0, ...scored.map(({ coverage }) => coverage));
  if (best < LEAST_COVERAGE) return [];
  const names = question.terms.flatMap(({ specific }, at) => (specific ? [at] : []));
  const namedNear = ({ match }: ScoredCandidate): boolean => names.every((at) => (match[at] ?? 0) >= ON_SUBJECT);
  const onSubject = scored.filter(({ coverage }) => coverage >= best * ON_SUBJECT);
  const named = onSubject.filter(namedNear);
  const wanted = new Set((named.length > 0 ? named : onSubject).map(({ candidate }) => candidate));
  return candidates.filter((candidate) => wanted.has(candidate));
}
