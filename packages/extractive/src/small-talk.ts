import { phrasesIn } from '@lectern/grounding';
import { detectLanguage } from '@lectern/text';

type SmallTalk = 'aboutMe' | 'thanks' | 'farewell' | 'greeting';

/** Patterns of messages that need no document, by language. The first that matches decides. */
const PATTERNS: readonly (readonly [SmallTalk, Readonly<Record<'en' | 'de', RegExp>>])[] = [
  [
    'aboutMe',
    {
      en: /\b(?:who|what) are you\b|\bwhat(?:'s| is) your name\b|\bwhat can you do\b|\bare you (?:an? )?(?:ai|bot|human|real|person|chatgpt|claude|robot|machine)\b/iu,
      de: /\bwer bist du\b|\bwas kannst du\b|\bwer sind sie\b/iu,
    },
  ],
  ['thanks', { en: /\b(?:thanks|thank you|thx|cheers|much appreciated)\b/iu, de: /\b(?:danke|vielen dank)\b/iu }],
  [
    'farewell',
    {
      en: /^\W*(?:bye|goodbye|good night|see you|ciao)\b/iu,
      de: /^\W*(?:tschüss|auf wiedersehen|bis bald)\b/iu,
    },
  ],
  [
    'greeting',
    {
      en: /^\W*(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))\b|\bhow are you\b|\bhow(?:'s| is) it going\b/iu,
      de: /^\W*(?:hallo|guten (?:morgen|tag|abend)|moin|servus)\b|\bwie geht(?:'s| es)\b/iu,
    },
  ],
];

/** Returns the reply to a message that asks nothing about the documents. */
export function smallTalkReply(message: string): string {
  const language = detectLanguage(message);
  for (const [kind, patterns] of PATTERNS) {
    if (patterns.de.test(message)) return phrasesIn('de')[kind];
    if (patterns.en.test(message)) return phrasesIn(language)[kind];
  }
  return phrasesIn(language).acknowledged;
}
