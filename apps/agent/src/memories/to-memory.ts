import type { Memory as MemoryMessage } from '@lectern/contracts';
import { digestOf } from '@lectern/service-kit';
import type { Memory } from '#gen/prisma/client';
import { kindOf } from '#memories/memory-kind';

/** The revision of the fields that an update can change. */
export function memoryRevision(row: Memory): string {
  const { kind, content, metadata, conversationId, importance, expiresAt, proposed } = row;
  return digestOf([kind, content, metadata, conversationId, importance, expiresAt, proposed]);
}

/** Converts a memory's row to its contract form. */
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
    revision: memoryRevision(row),
  };
}
