import { type ListQuestionsRequest, QuestionKind, type SetQuestionDoneRequest } from '@lectern/contracts';
import { withheldText } from '@lectern/grounding';
import { invalidRequest, notFound, pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { type Readable, readableDocumentsOf, sourcesOf } from '#conversations/readable-replies';
import { storedConfidence } from '#conversations/stored-reply';
import { storedRequest } from '#conversations/stored-request';
import { toFeedback } from '#feedback/stored-feedback';
import type { Feedback } from '#gen/prisma/client';
import { ofTeam } from '#handlers/test-cases';
import { findQuestions, type Kind, type QuestionRow } from '#questions/find-questions';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** The feedback that is shown with a question. */
const MAX_FEEDBACK = 20;

const KINDS: Readonly<Record<number, Kind>> = {
  [QuestionKind.UNANSWERED]: 'unanswered',
  [QuestionKind.LOW_CONFIDENCE]: 'low_confidence',
  [QuestionKind.DOWN_VOTED]: 'down_voted',
};

// A message of an older version has no stored request.
const requestOf = storedRequest.catch({ collections: [] });

/** Lists questions of the team whose reply should be reviewed. */
export const listQuestions = (ctx: Context) =>
  ofTeam(async (request: ListQuestionsRequest, call) => {
    const page = readPage(request.page);
    const { kind, done, collectionId, to = new Date() } = request;
    const { from = new Date(to.getTime() - DEFAULT_DAYS * DAY_MS) } = request;
    if (from >= to) throw invalidRequest([{ path: 'from', message: 'must be before `to`' }]);
    if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) {
      throw invalidRequest([{ path: 'from', message: `must be at most ${MAX_DAYS} days before \`to\`` }]);
    }
    const { teamId } = call.caller;
    const filter = { teamId, done, collectionId, from, to, kind: kind === undefined ? undefined : KINDS[kind] };
    const { rows, total } = await findQuestions(ctx.db, filter, page);
    return { questions: await toQuestions(ctx, rows, call), page: pageInfo(page, total) };
  });

/** Marks a question as done, or as open again. */
export const setQuestionDone = (ctx: Context) =>
  ofTeam(async ({ id, done }: SetQuestionDoneRequest, call) => {
    const read = async () => {
      const { teamId } = call.caller;
      const all = { kind: undefined, done: undefined, collectionId: undefined, from: new Date(0) };
      const filter = { ...all, teamId, id, to: new Date(Date.now() + DAY_MS) };
      const { rows } = await findQuestions(ctx.db, filter, { skip: 0, take: 1 });
      if (rows.length === 0) throw notFound('question', id);
      return rows;
    };
    await read();
    if (done) {
      await ctx.db.questionReview.createMany({ data: [{ messageId: id, doneAt: new Date() }], skipDuplicates: true });
    } else await ctx.db.questionReview.deleteMany({ where: { messageId: id } });
    const [question] = await toQuestions(ctx, await read(), call);
    if (question === undefined) throw notFound('question', id);
    return question;
  });

async function toQuestions({ db, services }: Context, rows: readonly QuestionRow[], call: ServiceCall) {
  const feedback = await db.feedback.findMany({
    where: { messageId: { in: rows.map(({ id }) => id) } },
    orderBy: { updatedAt: 'desc' },
  });
  const byReply = Map.groupBy(feedback, ({ messageId }) => messageId);
  const readable = await readableDocumentsOf(services.for(call), rows);
  const { userEmail } = call.caller;
  return rows.map((row) => {
    // What an agent reads besides documents, like memories and rows of a database, has no permissions to check.
    const withheld = !readable.hasAll(row) || (row.byAgent && userEmail !== undefined);
    return toQuestion(row, byReply.get(row.id) ?? [], { readable, withheld });
  });
}

interface Access {
  readonly readable: Readable;
  readonly withheld: boolean;
}

/** Callers who may not read the documents of a reply see the question, but neither the reply nor comments on it. */
function toQuestion(row: QuestionRow, feedback: readonly Feedback[], { readable, withheld }: Access) {
  const confidence = storedConfidence.nullable().parse(row.confidence);
  return {
    id: row.id,
    question: row.question,
    kinds: [
      ...(row.unanswered ? [QuestionKind.UNANSWERED] : []),
      ...(row.lowConfidence ? [QuestionKind.LOW_CONFIDENCE] : []),
      ...(row.downVoted ? [QuestionKind.DOWN_VOTED] : []),
    ],
    collectionIds: [...requestOf.parse(row.request).collections],
    content: withheld ? withheldText(row.content) : row.content,
    sources: sourcesOf(row.sources).filter(({ id }) => readable.has(id)),
    confidence: confidence === null ? undefined : { ...confidence, signals: withheld ? undefined : confidence.signals },
    withheld,
    feedback: feedback.slice(0, MAX_FEEDBACK).map((given) => {
      const { rating, reason, comment, updatedAt } = toFeedback(given);
      return { rating, reason, comment: withheld ? undefined : comment, updatedAt };
    }),
    testCaseId: row.testCaseId ?? undefined,
    createdAt: row.createdAt,
    doneAt: row.doneAt ?? undefined,
  };
}
