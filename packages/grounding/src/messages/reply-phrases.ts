import type { Language } from '@lectern/text';
import { MESSAGES, type ReplyLanguage } from '#messages/catalog';
import type { CountedMessage, ReplyMessages } from '#messages/reply-messages';

type Fixed =
  | 'overview'
  | 'closest'
  | 'contradiction'
  | 'notFound'
  | 'notYet'
  | 'noDocuments'
  | 'askAgainLater'
  | 'withheld'
  | 'greeting'
  | 'thanks'
  | 'farewell'
  | 'aboutMe'
  | 'acknowledged';

/** The fixed sentences of a reply in its language. Functions insert titles, values and numbers. */
export interface ReplyPhrases extends Pick<ReplyMessages, Fixed> {
  readonly accordingTo: (title: string) => string;
  readonly mayAnswer: (title: string) => string;
  readonly alsoIn: (title: string) => string;
  readonly nothingAbout: (subject: string) => string;
  /** States which parts of the question the passages that were found do not mention. Needs at least one. */
  readonly missing: (values: readonly string[]) => string;
  /** Suggests another question, with titles of documents as examples if there are any. */
  readonly rephrase: (titles: readonly string[]) => string;
  /** A question about a document. */
  readonly mainPoints: (title: string) => string;
  readonly indexing: (count: number) => string;
  /** Joins sentences. */
  readonly join: (...sentences: readonly string[]) => string;
}

/** Languages without spaces between sentences. */
const UNSPACED: ReadonlySet<ReplyLanguage> = new Set<ReplyLanguage>(['zh', 'ja']);

const known = new Map<ReplyLanguage, ReplyPhrases>();

/** Returns the fixed sentences in a language. English for a language without its own. */
export function phrasesIn(language: Language): ReplyPhrases {
  const replyLanguage = language === 'und' ? 'en' : language;
  const phrases = known.get(replyLanguage) ?? createPhrases(replyLanguage, MESSAGES[replyLanguage]);
  known.set(replyLanguage, phrases);
  return phrases;
}

function createPhrases(language: ReplyLanguage, messages: ReplyMessages): ReplyPhrases {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const lists = new Intl.ListFormat(language, { type: 'conjunction' });
  const listOf = (texts: readonly string[]) => lists.format(texts.map((text) => fill(messages.quoted, { text })));
  return {
    ...messages,
    accordingTo: (title) => fill(messages.accordingTo, { title }),
    mayAnswer: (title) => fill(messages.mayAnswer, { title }),
    alsoIn: (title) => fill(messages.alsoIn, { title }),
    nothingAbout: (subject) => fill(messages.nothingAbout, { subject }),
    missing: (values) =>
      values.length === 1
        ? fill(messages.missing, { value: listOf(values) })
        : fill(messages.missingSeveral, { values: listOf(values) }),
    rephrase: (titles) =>
      titles.length === 0 ? messages.rephrase : fill(messages.rephraseLike, { titles: listOf(titles) }),
    mainPoints: (title) => fill(messages.mainPoints, { title }),
    indexing: (count) => fill(pluralForm(messages.indexing, plurals.select(count)), { count: numbers.format(count) }),
    join: (...sentences) => sentences.join(UNSPACED.has(language) ? '' : ' '),
  };
}

function pluralForm(message: CountedMessage, form: Intl.LDMLPluralRule): string {
  return message[form] ?? message.other;
}

/** Inserts values in one pass, so that a title with braces stays as it is. */
function fill(message: string, values: Readonly<Record<string, string>>): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
