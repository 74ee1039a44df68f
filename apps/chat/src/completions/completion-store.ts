import type { GivenMessage, ToolCall } from '@lectern/contracts';
import { type Caller, invalidRequest, notFound } from '@lectern/service-kit';
import { z } from 'zod';
import { storedMessage } from '#completions/completion-request';
import { readableDocumentsOf } from '#conversations/readable-replies';
import { storedConfidence, storedSource, storedUsage } from '#conversations/stored-reply';
import { ownedBy } from '#conversations/visibility';
import type { Completion, PrismaClient } from '#gen/prisma/client';
import type { TurnServices } from '#turn/turn-services';

/** How many replies a request can continue. Earlier ones are left out. */
const MAX_CHAIN = 200;
/** How many bytes of stored messages and replies a request can continue. Much more than models read. */
const MAX_CHAIN_BYTES = 8 * 1024 * 1024;
const MAX_REFERENCES = 500;
const MAX_REFERENCED_BYTES = 32 * 1024 * 1024;

const storedReply = z.object({
  content: z.string(),
  calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  sources: z.array(storedSource),
  confidence: storedConfidence.optional(),
  marks: z.array(z.object({ source: z.int(), start: z.int(), end: z.int() })),
  usage: storedUsage,
  model: z.string(),
  stopReason: z.string(),
});

export type CompletionReply = z.output<typeof storedReply>;

/** A stored reply with the messages that it answers. */
export interface StoredCompletion {
  readonly id: string;
  readonly previousId: string | undefined;
  readonly messages: readonly GivenMessage[];
  readonly reply: CompletionReply;
  readonly documents: readonly string[];
  readonly details: string;
  readonly createdAt: Date;
}

interface Reader {
  readonly db: PrismaClient;
  readonly caller: Caller;
  readonly services: Pick<TurnServices, 'filterReadable'>;
}

const fromRow = ({ previousId, messages, reply, ...row }: Completion): StoredCompletion => ({
  ...row,
  previousId: previousId ?? undefined,
  messages: z.array(storedMessage).parse(messages),
  reply: storedReply.parse(reply),
});

/** Stores a reply. */
export async function saveCompletion(
  db: PrismaClient,
  { teamId, keyId, userEmail }: Caller,
  { id, previousId, messages, reply, documents, details }: Omit<StoredCompletion, 'createdAt'>,
): Promise<void> {
  await db.completion.create({
    data: {
      id,
      teamId,
      keyId: keyId ?? null,
      userEmail: userEmail ?? null,
      previousId: previousId ?? null,
      messages: z.array(z.json()).parse(messages),
      reply: z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(reply))),
      documents: [...documents],
      details,
    },
  });
}

/** Returns stored replies that the caller may see and whose documents the caller may read, by id. */
async function findCompletions(
  { db, caller, services }: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredCompletion>> {
  if (ids.length === 0) return new Map();
  const rows = await db.completion.findMany({ where: { id: { in: [...new Set(ids)] }, ...ownedBy(caller) } });
  const stored = rows.map(fromRow);
  const readable = await readableDocumentsOf(
    services,
    stored.map(({ documents }) => ({ documents, sources: [] })),
  );
  const visible = stored.filter(({ documents }) => readable.hasAll({ documents, sources: [] }));
  return new Map(visible.map((completion) => [completion.id, completion]));
}

/** Returns the replies that messages refer to, by id. Throws `invalid_request` if they are too many or too long. */
export async function findReferenced(
  reader: Reader,
  messages: readonly GivenMessage[],
): Promise<ReadonlyMap<string, StoredCompletion>> {
  const ids = [...new Set(messages.flatMap(({ referenceId }) => (referenceId === '' ? [] : [referenceId])))];
  if (ids.length === 0) return new Map();
  const issue = (message: string) => invalidRequest([{ path: 'messages', message }]);
  if (ids.length > MAX_REFERENCES) throw issue(`must refer to at most ${MAX_REFERENCES} responses`);
  const [row] = await reader.db.$queryRaw<{ size: bigint | null }[]>`
    SELECT sum(octet_length(messages::text) + octet_length(reply::text)) AS size
    FROM completions WHERE id = ANY(${ids}) AND team_id = ${reader.caller.teamId}`;
  if (Number(row?.size ?? 0) > MAX_REFERENCED_BYTES) {
    throw issue('refer to responses that are too long. Send their text instead');
  }
  return findCompletions(reader, ids);
}

/** Returns one of them. Throws `not_found`. */
export async function getCompletion(reader: Reader, id: string): Promise<StoredCompletion> {
  const found = (await findCompletions(reader, [id])).get(id);
  if (found === undefined) throw notFound('response', id);
  return found;
}

/** Deletes a reply. Throws `not_found`. */
export async function deleteCompletion(db: PrismaClient, caller: Caller, id: string): Promise<void> {
  const { count } = await db.completion.deleteMany({ where: { id, ...ownedBy(caller) } });
  if (count === 0) throw notFound('response', id);
}

/**
 * Returns a reply and those that it continues, oldest first, without those before one that the caller
 * may no longer see. Throws `not_found` for the last one.
 */
export async function readChain(reader: Reader, lastId: string): Promise<readonly StoredCompletion[]> {
  const { db, caller } = reader;
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE chain AS (
      SELECT id, previous_id, 1 AS depth, octet_length(messages::text) + octet_length(reply::text) AS size
      FROM completions WHERE id = ${lastId} AND team_id = ${caller.teamId}
      UNION ALL
      SELECT earlier.id, earlier.previous_id, depth + 1,
        size + octet_length(earlier.messages::text) + octet_length(earlier.reply::text)
      FROM completions earlier JOIN chain ON earlier.id = chain.previous_id
      WHERE earlier.team_id = ${caller.teamId} AND depth < ${MAX_CHAIN} AND size < ${MAX_CHAIN_BYTES}
    )
    SELECT id FROM chain ORDER BY depth`;
  const found = await findCompletions(
    reader,
    rows.map(({ id }) => id),
  );
  const chain: StoredCompletion[] = [];
  for (const { id } of rows) {
    const completion = found.get(id);
    if (completion === undefined) break;
    chain.unshift(completion);
  }
  if (chain.length === 0) throw notFound('response', lastId);
  return chain;
}

/** A call as it is stored and sent to the client. */
export const toolCallOf = ({
  id,
  name,
  input,
  malformed,
}: {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly malformed?: string;
}): ToolCall => ({ id, name, arguments: malformed ?? JSON.stringify(input) });
