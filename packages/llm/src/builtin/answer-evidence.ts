import { extractTerms } from '@lectern/embeddings';
import type { AnswerType, ExpectedAnswer } from '#builtin/answer-type';

const NUMBER_WORD =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|dozen|once|twice|' +
  'zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|million|millionen';
const NUMBER = new RegExp(`\\p{N}|\\b(?:${NUMBER_WORD})\\b`, 'iu');
const UNIT =
  '(?:second|minute|hour|day|week|month|year|decade|cent|quarter|centurie|sekunde|minute|stunde|tag|woche|monat|jahr|jahrzehnt|jahrhundert)';
const MONTH =
  '(?:january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)';
const WEEKDAY =
  '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)';

/** Signs of an answer by type, strongest first, each with how much it counts. */
const SIGNS: Readonly<Record<Exclude<AnswerType, 'any' | 'definition'>, readonly (readonly [RegExp, number])[]>> = {
  money: [
    [/[$€£¥]\s?\p{N}|\p{N}[\p{N}.,]*\s?(?:[$€£¥]|k\b|dollars?|euros?|pounds?|usd|eur|gbp)/iu, 1],
    [/\p{N}\s?(?:%|percent|per cent|prozent)/iu, 0.7],
    [NUMBER, 0.4],
    [/\b(?:free|no cost|at no charge|kostenlos)\b/iu, 0.6],
  ],
  percent: [
    [/\p{N}\s?(?:%|percent|per cent|prozent)/iu, 1],
    [NUMBER, 0.4],
  ],
  count: [[NUMBER, 0.6]],
  duration: [
    [
      new RegExp(
        `(?:\\p{N}|\\b(?:${NUMBER_WORD}))[\\s-]*(?:full |consecutive |calendar |work(?:ing)? |business )*${UNIT}`,
        'iu',
      ),
      1,
    ],
    [new RegExp(`\\b${UNIT}(?:s|e|en|n)?\\b`, 'iu'), 0.5],
    [NUMBER, 0.4],
  ],
  frequency: [
    [
      /\b(?:every|each|per|once|twice|times|daily|weekly|monthly|quarterly|yearly|annually|annual|periodically|jede[rsnm]?|täglich|wöchentlich|monatlich|jährlich|mal)\b/iu,
      1,
    ],
    [new RegExp(`${UNIT}`, 'iu'), 0.5],
  ],
  date: [
    [
      new RegExp(
        `\\b${MONTH}\\b|\\b(?:1[0-9]|20)\\p{N}{2}\\b|\\b${WEEKDAY}s?\\b|\\p{N}{1,2}[./]\\p{N}{1,2}[./]\\p{N}{2,4}|\\bmay \\p{N}`,
        'iu',
      ),
      1,
    ],
    [
      new RegExp(
        `\\b(?:every|each|first|last|next|after|before|within|until|at the end|nach|vor|seit)\\b|\\b${UNIT}`,
        'iu',
      ),
      0.6,
    ],
    [NUMBER, 0.3],
  ],
  person: [
    [/\p{Lu}[\p{L}’'.-]+(?: (?:de|van|von|der|la|le|of|the))? \p{Lu}[\p{L}’'-]+/u, 1],
    [
      /\b(?:manager|team|lead|ceo|coo|cto|cfo|founder|director|president|staff|department|leiter|chef)\b|(?<=\p{L}[,;]? )\p{Lu}\p{Ll}+/iu,
      0.8,
    ],
  ],
  place: [
    [/\b(?:in|at|from|to|near|on|of|nach|aus|bei) (?:the )?\p{Lu}\p{L}+/u, 1],
    [/\b(?:in|at|on|from) (?:the |your |our )?\p{L}+/iu, 0.5],
  ],
  reason: [
    [
      /\b(?:because|since|so that|due to|in order to|as a result|therefore|thus|reason|caused? by|owing to|weil|da|denn|um|wegen|damit|aufgrund|grund)\b/iu,
      1,
    ],
    [/\b(?:to|for|helps?|keeps?|forces?|allows?|gives?|ensures?|means)\b/iu, 0.5],
  ],
};

/**
 * How much a text looks like the answer expected, 0 to 1, whatever it speaks of. 1 for a number with the counted noun next to it
 * ("16 weeks" for "how many weeks"), a currency amount for a price, a month or year for a date and so on; 0 with none of the signs.
 * Types without signs (`any`, `definition`) give 0.
 */
export function answerEvidence(expected: ExpectedAnswer, text: string): number {
  if (expected.type === 'any' || expected.type === 'definition') return 0;
  if (expected.noun !== undefined && numberBeside(text, expected.noun)) return 1;
  for (const [sign, weight] of SIGNS[expected.type]) if (sign.test(text)) return weight;
  return 0;
}

/** Whether a number stands up to three words before a form of the noun. */
function numberBeside(text: string, noun: string): boolean {
  const [stem] = extractTerms(noun);
  if (stem === undefined) return false;
  const words = text.match(/[\p{L}\p{N}$€£%]+(?:[.,]\p{N}+)*/gu) ?? [];
  return words.some(
    (word, at) =>
      extractTerms(word)[0] === stem && words.slice(Math.max(0, at - 3), at).some((before) => NUMBER.test(before)),
  );
}
