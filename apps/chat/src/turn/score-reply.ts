import { setImmediate } from 'node:timers/promises';
import { type AnswerConfidence, type AnswerToScore, scoreAnswer } from '@lectern/grounding';

/**
 * Scores a reply once the words that were said of it are on their way. Scoring holds the process' one thread for milliseconds, and what was
 * written just before reaches the socket only when the thread is free: the first words of a fast model and the last of every other would wait.
 */
export async function scoreReply(answer: AnswerToScore): Promise<AnswerConfidence> {
  await setImmediate();
  return scoreAnswer(answer);
}
