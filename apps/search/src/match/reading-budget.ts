import { invalidRequest } from '@lectern/service-kit';

/**
 * Cost limits for the phrases and exclusions of one request. To check whether a document contains a
 * phrase, its text must be read, at about 0.1 ms per thousand characters. Excluded documents are
 * listed one by one in every request to the vector store.
 */
export const PHRASE_LIMITS = {
  /**
   * Documents with all words of a phrase, and their passages; in total for all phrases of a
   * request.
   */
  documents: 1_000,
  passages: 2_000,
  /** Documents that excluded words remove. */
  excluded: 10_000,
} as const;

const ADVICE = 'Use rarer words, remove the quotes, or narrow the search by collections or filters';

/** Counts what the phrases of one request read. */
export class ReadingBudget {
  #documents = 0;
  #passages = 0;

  /** @throws AppError `invalid_request` if the request would read too many documents */
  takeDocuments(count: number, phrase: string): void {
    this.#documents += count;
    if (this.#documents <= PHRASE_LIMITS.documents) return;
    throw tooExpensive(
      `the words of the phrases ${shown(phrase)} occur in more than ${PHRASE_LIMITS.documents} documents`,
    );
  }

  /** @throws AppError `invalid_request` if the request would read too many passages */
  takePassages(count: number, phrase: string): void {
    this.#passages += count;
    if (this.#passages <= PHRASE_LIMITS.passages) return;
    throw tooExpensive(
      `the documents with the words of the phrases ${shown(phrase)} have more than ${PHRASE_LIMITS.passages} passages`,
    );
  }
}

/** @throws AppError `invalid_request` if the words would exclude too many documents */
export function checkExcluded(count: number, words: readonly string[]): void {
  if (count <= PHRASE_LIMITS.excluded) return;
  const excluded = words.map((word) => shown(`-${word}`)).join(', ');
  throw invalidRequest([
    {
      path: 'query',
      message: `must not exclude more than ${PHRASE_LIMITS.excluded} documents (${excluded}). Exclude rarer words, or use collections or filters to narrow the search`,
    },
  ]);
}

function tooExpensive(reason: string) {
  return invalidRequest([{ path: 'query', message: `is too expensive: ${reason}. ${ADVICE}` }]);
}

const MAX_SHOWN = 60;

function shown(text: string): string {
  const characters = Array.from(text);
  return JSON.stringify(characters.length <= MAX_SHOWN ? text : `${characters.slice(0, MAX_SHOWN).join('')}…`);
}
