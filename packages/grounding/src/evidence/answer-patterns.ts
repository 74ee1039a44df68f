import type { AnswerType } from '#evidence/answer-type';

const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|dozen|once|twice|' +
  'zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|millionen';
const UNIT =
  '(?:second|minute|hour|day|week|month|year|decade|centur(?:y|ies)|quarter|sekunde|stunde|tag|woche|monat|jahr|jahrzehnt|jahrhundert)';
/** After a number in digits. */
const SHORT_UNIT = '(?:ms|s|secs?|mins?|h|hrs?|d|wks?|mos?|yrs?|std|sek)';
const MONTH =
  '(?:january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)';
const WEEKDAY =
  '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)';

const pattern = (source: string): RegExp => new RegExp(source, 'iu');

/** A number in digits or words. */
export const NUMBER = pattern(`\\p{N}|\\b(?:${NUMBER_WORDS})\\b`);

/** A pattern that texts of a type of answer match, and its weight, 0 to 1. English and German. */
export type AnswerPattern = readonly [pattern: RegExp, weight: number];

/** Patterns by type, strongest first. The first that matches decides. */
export const ANSWER_PATTERNS: Readonly<Record<Exclude<AnswerType, 'any' | 'definition'>, readonly AnswerPattern[]>> = {
  money: [
    [pattern('[$€£¥]\\s?\\p{N}|\\p{N}[\\p{N}.,]*\\s?(?:[$€£¥]|k\\b|dollars?|euros?|pounds?|usd|eur|gbp)'), 1],
    [pattern('\\p{N}\\s?(?:%|percent|per cent|prozent)'), 0.7],
    [pattern('\\b(?:free|no cost|at no charge|kostenlos)\\b'), 0.6],
    [NUMBER, 0.3],
  ],
  percent: [
    [pattern('\\p{N}\\s?(?:%|percent|per cent|prozent)'), 1],
    [NUMBER, 0.3],
  ],
  count: [[NUMBER, 0.5]],
  duration: [
    [
      pattern(
        `(?:\\p{N}|\\b(?:${NUMBER_WORDS}))[\\s-]*(?:full |consecutive |calendar |work(?:ing)? |business |volle )*${UNIT}`,
      ),
      1,
    ],
    [pattern(`\\p{N}\\s?${SHORT_UNIT}(?!\\p{L})`), 1],
    [pattern(`\\b${UNIT}(?:s|e|en|n)?\\b`), 0.4],
    [NUMBER, 0.3],
  ],
  frequency: [
    [
      pattern(
        '\\b(?:every|each|per|once|twice|times|daily|weekly|monthly|quarterly|yearly|annually|annual|periodically|jede[rsnm]?|täglich|wöchentlich|monatlich|jährlich|mal)\\b',
      ),
      1,
    ],
    [pattern(UNIT), 0.4],
  ],
  date: [
    [
      pattern(
        `\\b${MONTH}\\b|\\b(?:1[0-9]|20)\\p{N}{2}\\b|\\b${WEEKDAY}s?\\b|\\p{N}{1,2}[./]\\p{N}{1,2}[./]\\p{N}{2,4}|\\bmay \\p{N}`,
      ),
      1,
    ],
    [
      pattern(
        '\\b(?:first|last|next|after|before|within|until|at the end|beginning|nach|vor|seit)\\b|\\bevery \\p{L}+',
      ),
      0.5,
    ],
    [pattern(`\\b${UNIT}`), 0.3],
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
    [pattern('\\b(?:in|at|on|from) (?:the |your |our )?\\p{L}+'), 0.5],
  ],
  reason: [
    [
      pattern(
        '\\b(?:because|since|so that|due to|in order to|as a result|therefore|thus|reason|caused? by|owing to|serves? to|forces?|weil|da|denn|um|wegen|damit|aufgrund|grund)\\b',
      ),
      1,
    ],
    [pattern('\\b(?:to|for|helps?|keeps?|allows?|gives?|ensures?|means)\\b'), 0.4],
  ],
};
