import { phrasesIn, smallTalkOf } from '@lectern/grounding';
import { detectLanguage } from '@lectern/text';

/** Returns the reply to a message that asks nothing about the documents. */
export function smallTalkReply(message: string): string {
  return phrasesIn(detectLanguage(message))[smallTalkOf(message) ?? 'acknowledged'];
}
