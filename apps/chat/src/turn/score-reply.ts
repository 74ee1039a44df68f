import { setImmediate } from 'node:timers/promises';
import { type AnswerConfidence, type AnswerToScore, scoreAnswer } from '@lectern/grounding';

/**
 * Scores a reply after its pending output has been sent. Scoring blocks the event loop for
 * milliseconds, which would delay output that was written just before.
 */
export async function scoreReply(answer: AnswerToScore): Promise<AnswerConfidence> {
  await setImmediate();
  return scoreAnswer(answer);
}
