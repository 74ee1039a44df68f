import { MemoryKind } from '@lectern/contracts';
import { z } from 'zod';
import { freeObject } from '#http/fields';

const MAX_CONTENT = 4_000;
const MAX_METADATA_BYTES = 16 * 1024;
const MAX_ID = 100;

export const KINDS = ['fact', 'preference', 'insight', 'procedure'] as const;

const KIND_VALUES = {
  fact: MemoryKind.FACT,
  preference: MemoryKind.PREFERENCE,
  insight: MemoryKind.INSIGHT,
  procedure: MemoryKind.PROCEDURE,
} as const;

export const memoryKind = z.enum(KINDS);

/** A kind as the contract has it; unspecified where none is given. */
export const kindValue = (kind: z.output<typeof memoryKind> | undefined): MemoryKind =>
  kind === undefined ? MemoryKind.UNSPECIFIED : KIND_VALUES[kind];

const isSmall = (value: object): boolean => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES;

/** A memory's fields, for its creation and its update. */
export const memoryFields = {
  kind: memoryKind,
  content: z.string().trim().min(1).max(MAX_CONTENT),
  metadata: freeObject.refine(isSmall, `must have at most ${MAX_METADATA_BYTES} bytes as JSON`),
  /** The conversation it came from; null for none. */
  source: z.strictObject({ conversationId: z.string().min(1).max(MAX_ID).nullish() }).nullable(),
  importance: z.number().min(0).max(1),
  /** ISO 8601 with an offset; null for never. */
  expiresAt: z.iso.datetime({ offset: true }).nullable(),
};

/** What a memory is created from. */
export const memoryBody = z
  .strictObject({
    content: memoryFields.content,
    kind: memoryFields.kind.default('fact'),
    metadata: memoryFields.metadata.optional(),
    source: memoryFields.source.optional(),
    importance: memoryFields.importance.optional(),
    expiresAt: memoryFields.expiresAt.optional(),
  })
  .meta({ examples: [{ kind: 'preference', content: 'The user prefers short answers.', importance: 0.8 }] });

/** What is changed of one. */
export const memoryChanges = z
  .strictObject({
    ...memoryFields,
    /** False confirms what a run proposed. */
    proposed: z.literal(false),
  })
  .partial()
  .meta({ examples: [{ importance: 0.9, proposed: false }] });
