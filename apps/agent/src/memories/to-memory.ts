import type { Memory as MemoryMessage } from '@lectern/contracts';
import type { Memory } from '#gen/prisma/client';
import { kindOf } from '#memories/memory-kind';

/** A memory's row as the contract shows it. */
export function toMemory(row: Memory): MemoryMessage {
  const { id, agentId, content, importance, proposed, createdAt, updatedAt } = row;
  return {
    id,
    agentId,
    kind: kindOf(row.kind),
    content,
    metadata: Object(row.metadata),
    conversationId: row.conversationId ?? undefined,
    importance,
    expiresAt: row.expiresAt ?? undefined,
    proposed,
    createdAt,
    updatedAt,
  };
}
