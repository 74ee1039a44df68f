import { detectLanguage, headAndTail, visitTerms } from '@lectern/text';

/** Words that point back at what was said before. English and German. */
const POINTS_BACK =
  /\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|there|one|ones|same|else|former|latter|es|er|sie|ihm|ihr|ihn|ihnen|das|dies|diese[rmns]?|dort|davon|dafür|damit|dabei|daran)\b/iu;
/** Openings that carry a question on. */
const CARRIES_ON =
  /^\W*(?:and|but|or|also|so|then|what about|how about|what if|why not|und|aber|oder|auch|was ist mit|wie ist es mit|wie sieht es)\b/iu;

/** Own words up to which a question that points back, or carries on, needs the words of the one before it. */
const OWN_WORDS = { pointsBack: 4, carriesOn: 6, bare: 1 } as const;
/** Words taken from the question before. */
const MAX_TOPIC_WORDS = 8;
/** Questions that are looked back at. */
const MAX_LOOK_BACK = 4;

/**
 * The newest question made self-standing: one that leans on the conversation (`And in the second year?`) is given the topic of the one
 * before in brackets. By rules alone, so that it costs nothing; a question with words enough of its own stays as it is.
 */
export function selfStandingQuestion(earlier: readonly string[], message: string): string {
  return [...earlier.slice(-MAX_LOOK_BACK), message].reduce((before, question) =>
    leansOnEarlier(question) ? withTopic(question, before) : question,
  );
}

function leansOnEarlier(question: string): boolean {
  const own = contentWords(question).size;
  if (own <= OWN_WORDS.bare) return question.includes('?') || own > 0;
  if (CARRIES_ON.test(question)) return own <= OWN_WORDS.carriesOn;
  return POINTS_BACK.test(question) && own <= OWN_WORDS.pointsBack;
}

function withTopic(question: string, before: string): string {
  const own = contentWords(question);
  const topic = [...contentWords(before)].filter(([term]) => !own.has(term)).map(([, word]) => word);
  return topic.length === 0 ? question : `${question} (${topic.slice(0, MAX_TOPIC_WORDS).join(' ')})`;
}

/** The words that carry meaning, as they are written, by their index terms; of a long text those of its ends. */
function contentWords(whole: string): Map<string, string> {
  const text = headAndTail(whole);
  const words = new Map<string, string>();
  visitTerms(text, detectLanguage(text), (term, start, end) => {
    if (!words.has(term)) words.set(term, text.slice(start, end));
  });
  return words;
}
