import { type Memory, MemoryKind } from '@lectern/contracts';
import { z } from 'zod';
import { anyObject, timestamp } from '#http/answer-schema';
import { enumText } from '#http/enum-text';
import { time } from '#http/time';
import { KINDS } from '#operations/memories/fields';

/** A memory as answers show it. */
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

const record = {
  id: z.string(),
  agentId: z.string(),
  kind: z.enum(KINDS),
  content: z.string(),
  metadata: anyObject,
  source: z.object({ conversationId: z.string().nullable() }),
  importance: z.number().min(0).max(1),
  expiresAt: timestamp.nullable(),
  proposed: z.boolean().meta({ description: 'A run proposed it, and nobody has confirmed it yet' }),
  createdAt: timestamp,
  updatedAt: timestamp,
};
const EXAMPLE = {
  id: 'mem_01h455vb4pex5vsknk084sn02q',
  agentId: 'agt_01h455vb4pex5vsknk084sn02q',
  kind: 'preference',
  content: 'The user prefers short answers.',
  metadata: {},
  source: { conversationId: null },
  importance: 0.8,
  expiresAt: null,
  proposed: false,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
};

export const memoryRecordSchema = z.object(record).meta({
  id: 'Memory',
  description: 'What an agent keeps across conversations',
  examples: [EXAMPLE],
});

export const memoryHitSchema = z.object({ ...record, score: z.number().min(0).max(1) }).meta({
  id: 'MemoryHit',
  description: 'A memory and how well it fits the query',
  examples: [{ ...EXAMPLE, score: 0.7 }],
});
