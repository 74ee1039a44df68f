import { Prisma, type PrismaClient } from '#gen/prisma/client';

export type Kind = 'unanswered' | 'low_confidence' | 'down_voted';

/** Which questions to find. */
export interface QuestionFilter {
  readonly teamId: string;
  readonly kind: Kind | undefined;
  readonly done: boolean | undefined;
  readonly collectionId: string | undefined;
  readonly from: Date;
  readonly to: Date;
  /** Only the question with this reply. */
  readonly id?: string;
}

/** A question with its reply. */
export interface QuestionRow {
  readonly id: string;
  readonly question: string;
  readonly request: unknown;
  readonly content: string;
  readonly sources: unknown;
  readonly documents: string[];
  readonly confidence: unknown;
  readonly createdAt: Date;
  /** True if an agent wrote the reply. */
  readonly byAgent: boolean;
  readonly unanswered: boolean;
  readonly lowConfidence: boolean;
  readonly downVoted: boolean;
  readonly doneAt: Date | null;
  readonly testCaseId: string | null;
}

// The index messages_review_idx has these conditions.
const IS_UNANSWERED = Prisma.sql`reply.confidence->'signals'->'shapeConfidence' = '0'::jsonb`;
const IS_LOW = Prisma.sql`reply.confidence->>'label' = 'low'`;
const IS_COMPLETE = Prisma.sql`reply.role = 'assistant' AND reply.status = 'complete'`;

const KINDS = {
  unanswered: Prisma.sql`AND unanswered`,
  low_confidence: Prisma.sql`AND "lowConfidence"`,
  down_voted: Prisma.sql`AND "downVoted"`,
} as const;

function questionsOf({ teamId, kind, done, collectionId, from, to, id }: QuestionFilter): Prisma.Sql {
  const isReply = id === undefined ? Prisma.empty : Prisma.sql`AND reply.id = ${id}`;
  const conditions = [
    kind === undefined ? Prisma.empty : KINDS[kind],
    done === undefined ? Prisma.empty : done ? Prisma.sql`AND "doneAt" IS NOT NULL` : Prisma.sql`AND "doneAt" IS NULL`,
    collectionId === undefined
      ? Prisma.empty
      : Prisma.sql`AND request->'collections' @> to_jsonb(${collectionId}::text)`,
  ];
  return Prisma.sql`
    FROM (
      SELECT reply.id, asked.content AS question, asked.request, reply.content, reply.sources, reply.documents,
        reply.confidence, reply.created_at AS "createdAt", reply.steps IS NOT NULL AS "byAgent",
        coalesce(${IS_UNANSWERED}, false) AS unanswered,
        coalesce(${IS_LOW} AND NOT ${IS_UNANSWERED}, false) AS "lowConfidence",
        EXISTS (SELECT 1 FROM feedback WHERE message_id = reply.id AND rating = 'down') AS "downVoted",
        review.done_at AS "doneAt", test_cases.id AS "testCaseId"
      FROM (
        SELECT reply.id FROM messages AS reply
        JOIN conversations ON conversations.id = reply.conversation_id AND conversations.team_id = ${teamId}
        WHERE ${IS_COMPLETE} AND (${IS_LOW} OR ${IS_UNANSWERED})
          AND reply.created_at >= ${from} AND reply.created_at < ${to} ${isReply}
        UNION
        SELECT reply.id FROM feedback JOIN messages AS reply ON reply.id = feedback.message_id
        WHERE feedback.team_id = ${teamId} AND feedback.rating = 'down' AND ${IS_COMPLETE}
          AND reply.created_at >= ${from} AND reply.created_at < ${to} ${isReply}
      ) AS flagged
      JOIN messages AS reply ON reply.id = flagged.id
      JOIN conversations ON conversations.id = reply.conversation_id AND conversations.team_id = ${teamId}
      JOIN messages AS asked ON asked.conversation_id = reply.conversation_id AND asked.position = reply.position - 1
      LEFT JOIN question_reviews AS review ON review.message_id = reply.id
      LEFT JOIN test_cases ON test_cases.team_id = ${teamId} AND test_cases.message_id = reply.id
    ) AS questions
    WHERE true ${Prisma.join(conditions, ' ')}`;
}

/** Finds questions of a team whose reply should be reviewed, newest first. */
export async function findQuestions(
  db: PrismaClient,
  filter: QuestionFilter,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly rows: readonly QuestionRow[]; readonly total: number }> {
  const questions = questionsOf(filter);
  const [rows, [count]] = await Promise.all([
    db.$queryRaw<QuestionRow[]>`SELECT * ${questions} ORDER BY "createdAt" DESC, id DESC LIMIT ${take} OFFSET ${skip}`,
    db.$queryRaw<{ readonly total: bigint }[]>`SELECT count(*) AS total ${questions}`,
  ]);
  return { rows, total: Number(count?.total ?? 0n) };
}
