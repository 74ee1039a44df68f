import type { Language } from '@lectern/text';
import { monthNames } from '#constraints/month-names';

/** Words before a year that ask about another time than the year: "since 2015". */
const BEFORE: Readonly<Record<Language, string>> = {
  ar: 'منذ بعد قبل حتى بين من إلى',
  ca: "des desde després abans fins entre i a d'ençà",
  cs: 'od po před do mezi a',
  da: 'siden efter før indtil inden til fra mellem og',
  de: 'seit nach vor bis ab zwischen und',
  el: 'από μετά πριν μέχρι έως ως μεταξύ και',
  en: 'since after before until till by from to than between and through',
  es: 'desde después antes hasta entre y a partir',
  fi: 'ennen vuodesta vuoteen ja',
  fr: "depuis dès après avant jusqu'en jusqu'à entre et à",
  hi: '',
  hu: 'és',
  it: 'dal dopo prima fino entro tra fra e a',
  ja: '',
  ko: '',
  nl: 'sinds na voor tot vanaf tussen en',
  no: 'siden etter før innen til fra mellom og',
  pl: 'od po przed do między i',
  pt: 'desde após depois antes até entre e a partir',
  ro: 'după înainte până între și începând',
  ru: 'с со после до перед между и по',
  sv: 'sedan efter före innan till från mellan och',
  th: '',
  tr: 've',
  und: 'since after before until till by from to than between and through',
  vi: 'từ sau trước đến tới giữa và',
  zh: '',
};
/** Words between such a word and the year. */
const BETWEEN: ReadonlySet<string> = new Set(
  (
    'the year years of jahr jahre dem den das de del della do da du al la el le año años année an ano anno anul anului cu ' +
    'jaar het år året vuoden rok roku года год году το του έτος năm عام سنة'
  ).split(' '),
);
/** The same in languages that write it after the year, or without spaces. */
const JOINED_BEFORE = /(?:自|从|從|至|到|ตั้งแต่|หลัง|หลังจาก|ก่อน|ถึง)(?:ปี)?\s*$/u;
const AFTER =
  /^\s?[年년]?\s?(?:以[来來后後前降]|之[后後前]|[前后後起]|から|まで|より|이후|이전|부터|까지|후|전|(?:(?:yılından|yılına|के|वर्ष|वर्षों)\s)?(?:jälkeen|alkaen|lähtien|asti|saakka|mennessä|után|óta|előtt|között|sonra|önce|beri|kadar|itibaren|arasında|बाद|पहले|से|तक)(?!\p{L}))/u;
/** The year is the first of two: "2015 to 2018". */
const FIRST_OF_TWO = /^\s?(?:[-–—]\s?|[\p{L}\p{M}]{1,5}\s+)(?:1[0-9]|20)\p{N}{2}/u;
const CONTEXT = 48;

/** Returns whether a question asks about the time before, after or between years, not in one. */
export function isRelativeYear(question: string, start: number, end: number, language: Language): boolean {
  const before = question.slice(Math.max(0, start - CONTEXT), start);
  const after = question.slice(end, end + CONTEXT);
  if (AFTER.test(after) || FIRST_OF_TWO.test(after) || JOINED_BEFORE.test(before)) return true;
  const relations = new Set(BEFORE[language].split(' '));
  const words = (
    before
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}']+/gu) ?? []
  ).reverse();
  for (const word of words) {
    if (relations.has(word)) return true;
    if (!BETWEEN.has(word) && !monthNames(language).has(word)) return false;
  }
  return false;
}
