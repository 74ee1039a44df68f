import type { TestCaseInput } from '@lectern/contracts';
import { AppError, type Caller, type Issue, invalidRequest } from '@lectern/service-kit';
import type { TestCase } from '#gen/prisma/client';

/** The limits of a test case. */
const LIMITS = { question: 2_000, collections: 100, documents: 20, texts: 20, text: 500 } as const;

/** The columns of a test case that a caller chooses. */
export type TestCaseFields = Pick<
  TestCase,
  'question' | 'collections' | 'expectsRefusal' | 'documents' | 'texts' | 'userEmail'
>;

const unique = (values: readonly string[]) => [...new Set(values)];

/**
 * Returns whose access a test case has. A signed-in person can only give it their own: the outcome
 * of a test case with another person's access would reveal what that person can read. Throws
 * `forbidden`.
 */
function accessOf({ userEmail }: Caller, requested: string | undefined): string | null {
  const user = requested?.trim().toLowerCase() || undefined;
  if (userEmail === undefined) return user ?? null;
  if (user !== undefined && user !== userEmail) {
    throw new AppError(
      'forbidden',
      'A test case of a signed-in person has the access of that person. Omit `user`, or use a secret key.',
    );
  }
  return userEmail;
}

/** Validates a test case. Throws `invalid_request` and `forbidden`. */
export function readTestCase(input: TestCaseInput, caller: Caller): TestCaseFields {
  const fields = {
    question: input.question.trim(),
    collections: unique(input.collectionIds),
    expectsRefusal: input.expectsRefusal,
    documents: unique(input.documentIds),
    texts: unique(input.texts.map((text) => text.trim())),
    userEmail: accessOf(caller, input.user),
  };
  const issues: Issue[] = [];
  const require = (holds: boolean, path: string, message: string) => {
    if (!holds) issues.push({ path, message });
  };
  const { question, collections, documents, texts, expectsRefusal } = fields;
  require(question !== '', 'question', 'must not be empty');
  require(question.length <= LIMITS.question, 'question', `must have at most ${LIMITS.question} characters`);
  require(!/\0/.test(JSON.stringify(texts) + question), 'question', 'must not contain the character U+0000');
  require(collections.length <= LIMITS.collections, 'collections', `must have at most ${LIMITS.collections} items`);
  require(documents.length <= LIMITS.documents, 'documents', `must have at most ${LIMITS.documents} items`);
  require(texts.length <= LIMITS.texts, 'texts', `must have at most ${LIMITS.texts} items`);
  require(texts.every(
    (text) => text !== '' && text.length <= LIMITS.text,
  ), 'texts', `must have 1 to ${LIMITS.text} characters each`);
  require(!expectsRefusal ||
    documents.length + texts.length === 0, 'expect', 'cannot be `refusal` with expected documents or texts');
  if (issues.length > 0) throw invalidRequest(issues);
  return fields;
}
