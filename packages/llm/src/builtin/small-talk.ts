import type { Phrases } from '#language/phrases';

type SmallTalk = 'greeting' | 'thanks' | 'farewell' | 'aboutMe' | 'acknowledged';

/** Whole messages that want no document (English and German), the more telling first. */
const PATTERNS: readonly (readonly [SmallTalk, RegExp])[] = [
  [
    'aboutMe',
    /\b(?:who|what) are you\b|\bwhat(?:'s| is) your name\b|\bwhat can you do\b|\bare you (?:an? )?(?:ai|bot|human|real|person|chatgpt|claude|robot|machine)\b|\bwer bist du\b|\bwas kannst du\b|\bwer sind sie\b/iu,
  ],
  ['thanks', /\b(?:thanks|thank you|thx|cheers|much appreciated|danke|vielen dank)\b/iu],
  ['farewell', /^\W*(?:bye|goodbye|good night|see you|ciao|tschüss|auf wiedersehen|bis bald)\b/iu],
  [
    'greeting',
    /^\W*(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|hallo|guten (?:morgen|tag|abend)|moin|servus)\b|\bhow are you\b|\bhow(?:'s| is) it going\b|\bwie geht(?:'s| es)\b/iu,
  ],
];

/** What to say to a message that asks nothing of the documents. */
export function smallTalkReply(message: string, phrases: Phrases): string {
  const found = PATTERNS.find(([, pattern]) => pattern.test(message));
  return phrases[found?.[0] ?? 'acknowledged'];
}
