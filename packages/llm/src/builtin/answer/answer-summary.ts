import type { AnswerContext, AnswerShape } from '#builtin/answer/answer-context';
import { bulletsOpening, composeBullets } from '#builtin/compose/compose-bullets';
import { selectCentral } from '#builtin/select-central';
import type { Candidate } from '#evidence/candidates';
import { overlap } from '#evidence/similarity';

/** The subject must be spoken of this much, counting titles and headings, for a document to be summed up. */
const LEAST_COVERAGE = 0.5;
/** Documents that speak of the subject nearly as much as the best one are summed up with it. */
const CLOSE_TO_BEST = 0.9;

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
  const documents = new Set(
    scored.filter(({ coverage }) => coverage >= best * CLOSE_TO_BEST).map(({ candidate }) => candidate.source.id),
  );
  return candidates.filter(({ source }) => documents.has(source.id));
}
