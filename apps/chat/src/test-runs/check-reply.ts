import { replyForm, withoutMarkers } from '@lectern/grounding';

/** What a test case expects. */
export interface Expectation {
  readonly expectsRefusal: boolean;
  readonly documents: readonly string[];
  readonly texts: readonly string[];
}

/** The parts of a reply that are checked. */
export interface CheckedReply {
  readonly content: string;
  readonly sources: readonly { readonly id: string; readonly excerpt: string }[];
  /** The documents that were found for the question, best first. */
  readonly retrieved: readonly string[];
}

/** Why a test case fails. */
export type Failure = 'refused' | 'answered' | 'not_retrieved' | 'not_cited' | 'text_missing';

export interface CheckResult {
  readonly failures: readonly Failure[];
  readonly refused: boolean;
  /** The position of the first expected document among those that were found, from 1. */
  readonly rank: number | null;
}

/** Texts are compared without case, markers and differences of white space. */
const comparable = (text: string) =>
  withoutMarkers(text).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Checks a reply against what a test case expects. */
export function checkReply({ expectsRefusal, documents, texts }: Expectation, reply: CheckedReply): CheckResult {
  const refused = replyForm(reply).abstains;
  const expected = new Set(documents);
  const index = reply.retrieved.findIndex((id) => expected.has(id));
  const isCited = reply.sources.some(({ id }) => expected.has(id));
  const content = comparable(reply.content);
  const failures: Failure[] = [];
  if (refused && !expectsRefusal) failures.push('refused');
  if (!refused && expectsRefusal) failures.push('answered');
  if (documents.length > 0 && !isCited) failures.push(index === -1 ? 'not_retrieved' : 'not_cited');
  if (texts.some((text) => !content.includes(comparable(text)))) failures.push('text_missing');
  return { failures, refused, rank: index === -1 ? null : index + 1 };
}
