import { withoutMarkers } from '@lectern/grounding';
import type { ChatMessage } from '@lectern/llm';
import { documentsOf, readableDocumentsOf } from '#conversations/readable-replies';
import type { PrismaClient } from '#gen/prisma/client';
import type { TurnServices } from '#turn/turn-services';

/** The maximum number of messages that a turn reads. */
const MAX_MESSAGES = 1_000;

/** A message of the history. A reply includes the documents that it is based on. */
export type HistoryMessage = ChatMessage & { readonly documents: readonly string[] };

/**
 * Returns the newest messages of a conversation before a position, oldest first. Removes the
 * markers of replies, because they number the sources of another turn. Omits a turn if its reply
 * timed out, or if the reply is based on documents that the caller can no longer read: such text
 * must never enter a prompt again.
 */
export async function readHistory(
  { db, services }: { readonly db: PrismaClient; readonly services: Pick<TurnServices, 'filterReadable'> },
  conversationId: string,
  before: number,
): Promise<HistoryMessage[]> {
  if (before === 0) return [];
  const rows = await db.message.findMany({
    where: { conversationId, position: { lt: before }, status: 'complete' },
    orderBy: { position: 'desc' },
    take: MAX_MESSAGES,
    select: { position: true, role: true, content: true, documents: true, sources: true },
  });
  const readable = await readableDocumentsOf(services, rows);
  const lost = new Set(rows.filter((row) => !readable.hasAll(row)).map(({ position }) => position));
  // A reply follows its message.
  const available = rows.filter(({ position, role }) => !lost.has(role === 'user' ? position + 1 : position));
  return available.reverse().map((row) => {
    const text = row.role === 'assistant' ? withoutMarkers(row.content) : row.content;
    return { role: row.role, content: [{ type: 'text', text }], documents: documentsOf(row) };
  });
}
