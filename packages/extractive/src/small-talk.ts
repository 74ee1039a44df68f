import { phrasesIn, questionLanguage, smallTalkOf } from '@lectern/grounding';
import type { Language } from '@lectern/text';

/**
 * Returns the reply to a message that asks nothing about the documents: in its language, or if it could
 * be in several, in the one that the person chose.
 */
export function smallTalkReply(message: string, language?: Language): string {
  return phrasesIn(questionLanguage(message, [], [], language))[smallTalkOf(message) ?? 'acknowledged'];
}
