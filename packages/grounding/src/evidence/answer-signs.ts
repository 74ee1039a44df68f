import type { AnswerType } from '#evidence/answer-type';

const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|dozen|once|twice|' +
  'zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|millionen';
const UNIT =
  '(?:second|minute|hour|day|week|month|year|decade|centur(?:y|ies)|quarter|sekunde|stunde|tag|woche|monat|jahr|jahrzehnt|jahrhundert)';
const MONTH =
  '(?:january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)';
const WEEKDAY =
  '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)';

const sign = (pattern: string): RegExp => new RegExp(pattern, 'iu');

/** A figure, or a number spelled out. */
export const NUMBER = sign(`\\p{N}|\\b(?:${NUMBER_WORDS})\\b`);

/** What a text has that makes it look like an answer of a type, and how much it counts, 0 to 1. English and German. */
export type AnswerSign = readonly [pattern: RegExp, weight: number];

/** Signs by type, strongest first: the first that is found decides. */
export const ANSWER_SIGNS: Readonly<Record<Exclude<AnswerType, 'any' | 'definition'>, readonly AnswerSign[]>> = {
  money: [
    [sign('[$€£¥]\\s?\\p{N}|\\p{N}[\\p{N}.,]*\\s?(?:[$€£¥]|k\\b|dollars?|euros?|pounds?|usd|eur|gbp)'), 1],
    [sign('\\p{N}\\s?(?:%|percent|per cent|prozent)'), 0.7],
    [sign('\\b(?:free|no cost|at no charge|kostenlos)\\b'), 0.6],
    [NUMBER, 0.3],
  ],
  percent: [
    [sign('\\p{N}\\s?(?:%|percent|per cent|prozent)'), 1],
    [NUMBER, 0.3],
  ],
  count: [[NUMBER, 0.5]],
  duration: [
    [
      sign(
        `(?:\\p{N}|\\b(?:${NUMBER_WORDS}))[\\s-]*(?:full |consecutive |calendar |work(?:ing)? |business |volle )*${UNIT}`,
      ),
      1,
    ],
    [sign(`\\b${UNIT}(?:s|e|en|n)?\\b`), 0.4],
    [NUMBER, 0.3],
  ],
  frequency: [
    [
      sign(
        '\\b(?:every|each|per|once|twice|times|daily|weekly|monthly|quarterly|yearly|annually|annual|periodically|jede[rsnm]?|täglich|wöchentlich|monatlich|jährlich|mal)\\b',
      ),
      1,
    ],
    [sign(UNIT), 0.4],
  ],
  date: [
    [
      sign(
        `\\b${MONTH}\\b|\\b(?:1[0-9]|20)\\p{N}{2}\\b|\\b${WEEKDAY}s?\\b|\\p{N}{1,2}[./]\\p{N}{1,2}[./]\\p{N}{2,4}|\\bmay \\p{N}`,
      ),
      1,
    ],
    [
      sign('\\b(?:first|last|next|after|before|within|until|at the end|beginning|nach|vor|seit)\\b|\\bevery \\p{L}+'),
      0.5,
    ],
    [sign(`\\b${UNIT}`), 0.3],
  ],
  person: [
    [/\p{Lu}[\p{L}’'.-]+(?: (?:de|van|von|der|la|le|of|the))? \p{Lu}[\p{L}’'-]+/u, 1],
    [
      /\b(?:[Mm]anager|[Tt]eam|[Ll]ead|CEO|COO|CTO|CFO|[Ff]ounder|[Dd]irector|[Pp]resident|[Ss]taff|[Dd]epartment|Leiter|Leiterin|Chef|Chefin)\b|(?<=\p{Ll}[,;]? )\p{Lu}\p{Ll}+/u,
      0.8,
    ],
  ],
  place: [
    [/\b(?:[Ii]n|[Aa]t|[Ff]rom|[Tt]o|[Nn]ear|[Oo]n|[Oo]f|[Nn]ach|[Aa]us|[Bb]ei) (?:the )?\p{Lu}\p{L}+/u, 1],
    [sign('\\b(?:in|at|on|from) (?:the |your |our )?\\p{L}+'), 0.5],
  ],
  reason: [
    [
      sign(
        '\\b(?:because|since|so that|due to|in order to|as a result|therefore|thus|reason|caused? by|owing to|serves? to|forces?|weil|da|denn|um|wegen|damit|aufgrund|grund)\\b',
      ),
      1,
    ],
    [sign('\\b(?:to|for|helps?|keeps?|allows?|gives?|ensures?|means)\\b'), 0.4],
  ],
};
