import { LANGUAGES, LATIN_LANGUAGES } from '#analysis/languages';
import { normalizeToken } from '#analysis/normalize-token';
import { scriptLanguage } from '#analysis/script-language';

const WORDS = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)?/gu;
const APOSTROPHES = /['’]/g;
/** Only the beginning of a long text is read. UTF-16 units. */
const MAX_LENGTH = 500;

/**
 * Function words of languages without spaces between words, question words included. They are no
 * stopwords, because their characters are also parts of other words.
 */
const UNSPACED =
  /什么|怎么|怎样|如何|为何|哪|谁|吗|呢|请问|是不是|可以|我们?|你们?|什麼|怎麼|為何|嗎|です|ます|ません|とは|どう|なぜ|どこ|いつ|だれ|何|か$|ください|무엇|어떻게|왜|어디|언제|누가|습니까|입니까|인가요|하나요|อะไร|อย่างไร|ทำไม|ที่ไหน|เมื่อไหร่|ใคร|ไหม/gu;

/** Returns how many words of a text are function words of one language, whichever has the most. */
export function functionWordCount(text: string): number {
  const start = text.slice(0, MAX_LENGTH);
  const words = (start.match(WORDS) ?? []).map((word) => normalizeToken(word).replace(APOSTROPHES, ''));
  const languages = new Set(words.map((word) => scriptLanguage(word.codePointAt(0) ?? 0)));
  const counts = [...languages].flatMap((language) =>
    (language === undefined ? LATIN_LANGUAGES : [language]).map(
      (one) => words.filter((word) => LANGUAGES[one].stopwords.has(word)).length,
    ),
  );
  return Math.max(0, ...counts) + (start.match(UNSPACED)?.length ?? 0);
}
