import { AppError } from '@lectern/service-kit';
import type { Prisma, PrismaClient } from '#gen/prisma/client';

/** The maximum number of test cases of a team. A run asks each of them. */
export const MAX_TEST_CASES = 1_000;

/** Milliseconds allowed for a large import. */
const CHANGE_MS = 30_000;

/**
 * Changes the test cases of a team in one transaction. Changes of one team run one after another.
 * Throws `conflict` beyond the limit.
 */
export function changeTestCases<T>(
  db: PrismaClient,
  teamId: string,
  change: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  const run = async (tx: Prisma.TransactionClient) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`test cases ${teamId}`}, 0))`;
    const result = await change(tx);
    if ((await tx.testCase.count({ where: { teamId } })) > MAX_TEST_CASES) {
      throw new AppError(
        'conflict',
        `A team can have at most ${MAX_TEST_CASES} test cases. Delete those that are not needed.`,
      );
    }
    return result;
  };
  return db.$transaction(run, { timeout: CHANGE_MS });
}
