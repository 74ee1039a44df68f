import {
  type CreateTestCaseRequest,
  type DeleteTestCaseRequest,
  type GetTestCaseRequest,
  type ImportTestCasesRequest,
  isId,
  type ListTestCasesRequest,
  type UpdateTestCaseRequest,
} from '@lectern/contracts';
import {
  AppError,
  type Caller,
  invalidRequest,
  literalPattern,
  newId,
  notForEndUsers,
  notFound,
  pageInfo,
  readPage,
  requireFullScope,
  type ServiceCall,
} from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { changeTestCases, MAX_TEST_CASES } from '#test-cases/change-test-cases';
import { readTestCase } from '#test-cases/test-case-input';
import { findTestCase, toTestCase } from '#test-cases/test-case-record';

/** Wraps a handler of test cases, which belong to the whole team. Throws `forbidden`. */
export const ofTeam = <Q, R>(handle: (request: Q, call: ServiceCall) => R) =>
  notForEndUsers((request: Q, call: ServiceCall) => {
    requireFullScope(call.caller, 'access test cases');
    return handle(request, call);
  });

export const listTestCases = ({ db }: Context) =>
  ofTeam(async ({ query, page: request }: ListTestCasesRequest, { caller: { teamId } }) => {
    const page = readPage(request);
    const where: Prisma.TestCaseWhereInput = {
      teamId,
      ...(query === undefined ? {} : { question: { contains: literalPattern(query), mode: 'insensitive' } }),
    };
    const [rows, total] = await db.$transaction([
      db.testCase.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: page.skip,
        take: page.take,
      }),
      db.testCase.count({ where }),
    ]);
    return { testCases: rows.map(toTestCase), page: pageInfo(page, total) };
  });

/** Throws `not_found` unless the reply belongs to the team. */
async function requireReply(tx: Prisma.TransactionClient, { teamId }: Caller, id: string): Promise<void> {
  const found = isId('message', id)
    ? await tx.message.count({ where: { id, role: 'assistant', conversation: { teamId } } })
    : 0;
  if (found === 0) throw notFound('message', id);
}

export const createTestCase = ({ db }: Context) =>
  ofTeam(async ({ testCase, messageId, id = newId('test_case') }: CreateTestCaseRequest, { caller }) => {
    if (testCase === undefined) throw invalidRequest([{ path: 'question', message: 'must be present' }]);
    const { teamId } = caller;
    const fields = readTestCase(testCase, caller);
    const row = await changeTestCases(db, teamId, async (tx) => {
      // A retry with the same Idempotency-Key has the same id.
      const known = await tx.testCase.findFirst({ where: { id, teamId } });
      if (known !== null) return known;
      if (messageId !== undefined) {
        await requireReply(tx, caller, messageId);
        const existing = await tx.testCase.findFirst({ where: { teamId, messageId } });
        if (existing !== null) {
          throw new AppError('conflict', `This question already has the test case ${existing.id}.`, {
            details: { resource: 'test_case', id: existing.id },
          });
        }
      }
      return tx.testCase.create({ data: { ...fields, id, teamId, messageId: messageId ?? null } });
    });
    return toTestCase(row);
  });

export const getTestCase = ({ db }: Context) =>
  ofTeam(async ({ id }: GetTestCaseRequest, { caller }) => toTestCase(await findTestCase(db, caller, id)));

export const updateTestCase = ({ db }: Context) =>
  ofTeam(async ({ id, ...change }: UpdateTestCaseRequest, { caller }) => {
    const row = await changeTestCases(db, caller.teamId, async (tx) => {
      const known = await findTestCase(tx, caller, id);
      const unchanged = known.userEmail ?? '';
      // Who changes what is expected must have the access with which it is checked.
      const user = caller.userEmail !== undefined && change.user === unchanged ? undefined : change.user;
      const data = readTestCase(
        {
          question: change.question ?? known.question,
          collectionIds: change.collectionIds?.values ?? known.collections,
          expectsRefusal: change.expectsRefusal ?? known.expectsRefusal,
          documentIds: change.documentIds?.values ?? known.documents,
          texts: change.texts?.values ?? known.texts,
          user: user ?? (caller.userEmail === undefined ? unchanged : undefined),
        },
        caller,
      );
      return tx.testCase.update({ where: { id }, data });
    });
    return toTestCase(row);
  });

export const deleteTestCase = ({ db }: Context) =>
  ofTeam(async ({ id }: DeleteTestCaseRequest, { caller }) => {
    await findTestCase(db, caller, id);
    await db.testCase.deleteMany({ where: { id, teamId: caller.teamId } });
    return { id };
  });

/** Test cases with the same question in the same collections are the same one in an import. */
const identityOf = ({
  question,
  collections,
}: {
  readonly question: string;
  readonly collections: readonly string[];
}) => JSON.stringify([question, collections.toSorted()]);

export const importTestCases = ({ db }: Context) =>
  ofTeam(async ({ testCases, replace }: ImportTestCasesRequest, { caller }) => {
    const { teamId } = caller;
    if (testCases.length > MAX_TEST_CASES) {
      throw invalidRequest([{ path: 'text', message: `must have at most ${MAX_TEST_CASES} test cases` }]);
    }
    const imported = testCases.map((input) => readTestCase(input, caller));
    const byIdentity = new Map(imported.map((fields) => [identityOf(fields), fields]));
    return changeTestCases(db, teamId, async (tx) => {
      const known = await tx.testCase.findMany({ where: { teamId }, orderBy: { createdAt: 'desc' } });
      const existing = new Map(known.map((row) => [identityOf(row), row]));
      const added = [...byIdentity].filter(([identity]) => !existing.has(identity));
      const changed = [...byIdentity].flatMap(([identity, fields]) => {
        const row = existing.get(identity);
        return row === undefined ? [] : [{ id: row.id, fields }];
      });
      await tx.testCase.createMany({
        data: added.map(([, fields]) => ({ ...fields, id: newId('test_case'), teamId })),
      });
      for (const { id, fields } of changed) await tx.testCase.update({ where: { id }, data: fields });
      const kept = new Set(changed.map(({ id }) => id));
      const unlisted = replace ? known.filter(({ id }) => !kept.has(id)).map(({ id }) => id) : [];
      await tx.testCase.deleteMany({ where: { teamId, id: { in: unlisted } } });
      return { created: added.length, updated: changed.length, deleted: unlisted.length };
    });
  });

export const exportTestCases = ({ db }: Context) =>
  ofTeam(async (_request: unknown, { caller: { teamId } }) => {
    const rows = await db.testCase.findMany({
      where: { teamId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: MAX_TEST_CASES,
    });
    return { testCases: rows.map(toTestCase) };
  });
