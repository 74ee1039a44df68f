import { addTopic } from '@lectern/grounding';
import { detectLanguage, headAndTail, visitTerms } from '@lectern/text';

/** Words that refer to earlier messages. English and German. */
const REFERS_BACK =
  /\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|there|one|ones|same|else|former|latter|es|er|sie|ihm|ihr|ihn|ihnen|das|dies|diese[rmns]?|dort|davon|dafür|damit|dabei|daran)\b/iu;
/** Openings that continue an earlier question. */
const CONTINUES =
  /^\W*(?:and|but|or|also|so|then|what about|how about|what if|why not|und|aber|oder|auch|was ist mit|wie ist es mit|wie sieht es)\b/iu;

/**
 * A question with at most this many content words of its own needs the topic of the question
 * before.
 */
const OWN_WORDS = { refersBack: 4, continues: 6, bare: 1 } as const;
/** The maximum number of words taken from the question before. */
const MAX_TOPIC_WORDS = 8;
/** The maximum number of earlier questions to consider. */
const MAX_LOOK_BACK = 4;
const NUMBER = /\p{N}/u;

/**
 * Makes the newest question self-contained: appends the topic of the question before in brackets if
 * it depends on the conversation ("And in the second year?"). Uses rules instead of a model, so it
 * adds no latency.
 */
export function selfContainedQuestion(earlier: readonly string[], message: string): string {
  return [...earlier.slice(-MAX_LOOK_BACK), message].reduce((before, question) =>
    dependsOnEarlier(question) ? withTopic(question, before) : question,
  );
}

function dependsOnEarlier(question: string): boolean {
  const own = contentWords(question).size;
  if (own <= OWN_WORDS.bare) return question.includes('?') || own > 0;
  if (CONTINUES.test(question)) return own <= OWN_WORDS.continues;
  return REFERS_BACK.test(question) && own <= OWN_WORDS.refersBack;
}

function withTopic(question: string, before: string): string {
  const own = contentWords(question);
  const topic = [...contentWords(before)].filter(([term]) => !own.has(term)).map(([, word]) => word);
  // "And in 2019?" is not about the year of the question before.
  const words = NUMBER.test(question) ? topic.filter((word) => !NUMBER.test(word)) : topic;
  return addTopic(question, words.slice(0, MAX_TOPIC_WORDS));
}

/** Returns the content words by index term. In a long text, only its start and end count. */
function contentWords(whole: string): Map<string, string> {
  const text = headAndTail(whole);
  const words = new Map<string, string>();
  visitTerms(text, detectLanguage(text), (term, start, end) => {
    if (!words.has(term)) words.set(term, text.slice(start, end));
  });
  return words;
}
