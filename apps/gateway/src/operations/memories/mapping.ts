import type { memories } from '@lectern/api-spec';
import { type Memory, MemoryKind } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { enumText, time } from '#operations/convert';

/** A memory. */
export function memoryRecord(memory: Memory) {
  const { id, agentId, content, metadata, importance, proposed } = memory;
  return {
    id,
    agentId,
    kind: enumText(MemoryKind, memory.kind),
    content,
    metadata: metadata ?? {},
    source: { conversationId: memory.conversationId ?? null },
    importance,
    expiresAt: time(memory.expiresAt),
    proposed,
    createdAt: time(memory.createdAt),
    updatedAt: time(memory.updatedAt),
  };
}

const KINDS = {
  fact: MemoryKind.FACT,
  preference: MemoryKind.PREFERENCE,
  insight: MemoryKind.INSIGHT,
  procedure: MemoryKind.PROCEDURE,
} as const;

/** Converts a kind for the agent service. */
export const kindValue = (kind: memories.MemoryKindName | undefined): MemoryKind =>
  kind === undefined ? MemoryKind.UNSPECIFIED : KINDS[kind];

/** Returns the memory in a response of the agent service, which is always set. */
export function requireMemory(memory: Memory | undefined): Memory {
  if (memory === undefined) throw new AppError('internal_error', 'The agent service returned no memory.');
  return memory;
}
