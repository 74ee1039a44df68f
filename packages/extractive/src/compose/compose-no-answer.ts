import { noAnswer } from '@lectern/grounding';
import type { AnswerContext } from '#answer/answer-context';

/** States that there is no answer, why, and what to do, with the titles of the closest documents. */
export function composeNoAnswer({ phrases, indexing, scored, reply }: AnswerContext): void {
  const titles = scored.map(({ candidate }) => candidate.source.title);
  reply.write(noAnswer(phrases, indexing, titles));
}
