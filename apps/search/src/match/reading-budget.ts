import { invalidRequest } from '@lectern/service-kit';

/**
 * What the phrases and exclusions of one request may cost. Whether a phrase stands in a document is known only once its text was read, at about .1 ms
 * a thousand characters; excluded documents are named one by one in every request to the vector store.
 */
export const PHRASE_LIMITS = {
  /** Documents that have all words of a phrase, and their passages; all phrases of a request together. */
  documents: 1_000,
  passages: 2_000,
  /** Documents left out by excluded words. */
  excluded: 10_000,
} as const;

const ADVICE = 'Use rarer words, leave out the quotes, or narrow the search by collections or filters';

/** Keeps count of what the phrases of one request read. */
export class ReadingBudget {
  #documents = 0;
  #passages = 0;

  /** @throws AppError `invalid_request` where a request would read more documents than it may */
  takeDocuments(count: number, phrase: string): void {
    this.#documents += count;
    if (this.#documents <= PHRASE_LIMITS.documents) return;
    throw refuse(`the words of its phrases ${shown(phrase)} stand in more than ${PHRASE_LIMITS.documents} documents`);
  }

  /** @throws AppError `invalid_request` where a request would read more passages than it may */
  takePassages(count: number, phrase: string): void {
    this.#passages += count;
    if (this.#passages <= PHRASE_LIMITS.passages) return;
    throw refuse(
      `the documents with the words of its phrases ${shown(phrase)} have more than ${PHRASE_LIMITS.passages} passages`,
    );
  }
}

/** @throws AppError `invalid_request` where words would leave out more documents than can be named */
export function checkExcluded(count: number, words: readonly string[]): void {
  if (count <= PHRASE_LIMITS.excluded) return;
  const named = words.map((word) => shown(`-${word}`)).join(', ');
  throw invalidRequest([
    {
      path: 'query',
      message: `must not exclude more than ${PHRASE_LIMITS.excluded} documents (${named}). Exclude rarer words, or narrow the search by collections or filters`,
    },
  ]);
}

function refuse(reason: string) {
  return invalidRequest([{ path: 'query', message: `asks for too much: ${reason}. ${ADVICE}` }]);
}

const MAX_SHOWN = 60;

function shown(text: string): string {
  const characters = Array.from(text);
  return JSON.stringify(characters.length <= MAX_SHOWN ? text : `${characters.slice(0, MAX_SHOWN).join('')}…`);
}
