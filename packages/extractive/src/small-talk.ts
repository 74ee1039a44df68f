import { smallTalkOf } from '@lectern/grounding';
import { detectLanguage } from '@lectern/text';
import { PHRASES } from '#phrases';

/** Returns the reply to a message that asks nothing about the documents. */
export function smallTalkReply(message: string): string {
  const phrases = PHRASES[detectLanguage(message) === 'de' ? 'de' : 'en'];
  switch (smallTalkOf(message)) {
    case 'about_me':
      return phrases.aboutMe;
    case 'thanks':
      return phrases.thanks;
    case 'farewell':
      return phrases.farewell;
    case 'greeting':
      return phrases.greeting;
    default:
      return phrases.acknowledged;
  }
}
