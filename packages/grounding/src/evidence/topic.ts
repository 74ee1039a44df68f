const TOPIC = /\s\(([^()]*)\)\s*$/u;

/** Adds words of an earlier question to a question that depends on it. */
export function addTopic(question: string, words: readonly string[]): string {
  return words.length === 0 ? question : `${question} (${words.join(' ')})`;
}

/** Returns a question without the words that `addTopic` added, which no answer must contain. */
export function withoutTopic(question: string): string {
  return question.replace(TOPIC, '');
}
