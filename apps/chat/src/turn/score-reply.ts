import { setImmediate } from 'node:timers/promises';
import { type AnswerConfidence, type AnswerToScore, scoreAnswer } from '@lectern/grounding';

/**
 * Scores a reply after the text written so far has reached the socket. Scoring occupies the thread
 * for some milliseconds, which would delay the last words.
 */
export async function scoreReply(answer: AnswerToScore): Promise<AnswerConfidence> {
  await setImmediate();
  return scoreAnswer(answer);
}
