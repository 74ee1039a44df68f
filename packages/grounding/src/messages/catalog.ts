import type { Language } from '@lectern/text';
import { ARABIC_MESSAGES } from '#messages/languages/arabic';
import { CATALAN_MESSAGES } from '#messages/languages/catalan';
import { CHINESE_MESSAGES } from '#messages/languages/chinese';
import { CZECH_MESSAGES } from '#messages/languages/czech';
import { DANISH_MESSAGES } from '#messages/languages/danish';
import { DUTCH_MESSAGES } from '#messages/languages/dutch';
import { ENGLISH_MESSAGES } from '#messages/languages/english';
import { FINNISH_MESSAGES } from '#messages/languages/finnish';
import { FRENCH_MESSAGES } from '#messages/languages/french';
import { GERMAN_MESSAGES } from '#messages/languages/german';
import { GREEK_MESSAGES } from '#messages/languages/greek';
import { HINDI_MESSAGES } from '#messages/languages/hindi';
import { HUNGARIAN_MESSAGES } from '#messages/languages/hungarian';
import { ITALIAN_MESSAGES } from '#messages/languages/italian';
import { JAPANESE_MESSAGES } from '#messages/languages/japanese';
import { KOREAN_MESSAGES } from '#messages/languages/korean';
import { NORWEGIAN_MESSAGES } from '#messages/languages/norwegian';
import { POLISH_MESSAGES } from '#messages/languages/polish';
import { PORTUGUESE_MESSAGES } from '#messages/languages/portuguese';
import { ROMANIAN_MESSAGES } from '#messages/languages/romanian';
import { RUSSIAN_MESSAGES } from '#messages/languages/russian';
import { SPANISH_MESSAGES } from '#messages/languages/spanish';
import { SWEDISH_MESSAGES } from '#messages/languages/swedish';
import { THAI_MESSAGES } from '#messages/languages/thai';
import { TURKISH_MESSAGES } from '#messages/languages/turkish';
import { VIETNAMESE_MESSAGES } from '#messages/languages/vietnamese';
import type { ReplyMessages } from '#messages/reply-messages';

/** A language with its own messages: every analyzed one. */
export type ReplyLanguage = Exclude<Language, 'und'>;

/** The fixed sentences of replies in every analyzed language. */
export const MESSAGES: Readonly<Record<ReplyLanguage, ReplyMessages>> = {
  en: ENGLISH_MESSAGES,
  de: GERMAN_MESSAGES,
  fr: FRENCH_MESSAGES,
  es: SPANISH_MESSAGES,
  it: ITALIAN_MESSAGES,
  pt: PORTUGUESE_MESSAGES,
  nl: DUTCH_MESSAGES,
  sv: SWEDISH_MESSAGES,
  da: DANISH_MESSAGES,
  no: NORWEGIAN_MESSAGES,
  fi: FINNISH_MESSAGES,
  hu: HUNGARIAN_MESSAGES,
  ro: ROMANIAN_MESSAGES,
  tr: TURKISH_MESSAGES,
  pl: POLISH_MESSAGES,
  cs: CZECH_MESSAGES,
  ca: CATALAN_MESSAGES,
  vi: VIETNAMESE_MESSAGES,
  ru: RUSSIAN_MESSAGES,
  el: GREEK_MESSAGES,
  ar: ARABIC_MESSAGES,
  hi: HINDI_MESSAGES,
  zh: CHINESE_MESSAGES,
  ja: JAPANESE_MESSAGES,
  ko: KOREAN_MESSAGES,
  th: THAI_MESSAGES,
};
