import type { TestCase as TestCaseRecord } from '@lectern/contracts';
import { type Caller, notFound } from '@lectern/service-kit';
import type { Prisma, TestCase } from '#gen/prisma/client';

/** Converts a test case to its contract form. */
export function toTestCase(row: TestCase): TestCaseRecord {
  return {
    id: row.id,
    question: row.question,
    collectionIds: row.collections,
    expectsRefusal: row.expectsRefusal,
    documentIds: row.documents,
    texts: row.texts,
    user: row.userEmail ?? undefined,
    messageId: row.messageId ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Returns a test case of the caller's team. Throws `not_found`. */
export async function findTestCase(
  { testCase }: Pick<Prisma.TransactionClient, 'testCase'>,
  { teamId }: Caller,
  id: string,
): Promise<TestCase> {
  const row = await testCase.findFirst({ where: { id, teamId } });
  if (row === null) throw notFound('test_case', id);
  return row;
}
