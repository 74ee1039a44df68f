import { z } from 'zod';
import { jsonBody, recordBody, withoutBody } from '#body';
import {
  anyObject,
  createdAt,
  DEFAULT_LIMIT,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  freeObject,
  idIn,
  idParam,
  idParams,
  integerText,
  MAX_LIMIT,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  updatedAt,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_CONTENT = 4_000;
const MAX_METADATA_BYTES = 16 * 1024;
const MAX_QUERY = 2_000;

const memoryKind = z
  .enum(['fact', 'preference', 'insight', 'procedure'])
  .meta({ id: 'MemoryKind', description: 'The kind of a memory.' });
export type MemoryKindName = z.output<typeof memoryKind>;

const KIND = { description: 'The kind of the memory.' };
const CONTENT = { description: 'What the agent remembers, as text.' };
const METADATA = { description: 'The metadata of the memory, at most 16 KiB as JSON.' };
const SOURCE = { description: 'Where the memory comes from.' };
const CONVERSATION = { description: 'The id of the conversation. Null if there is none.' };
const IMPORTANCE = { description: 'How important the memory is, from 0 to 1.' };
const EXPIRES = { description: 'When the memory expires (ISO 8601). Null for never.' };

const isSmall = (value: object): boolean => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES;

const fields = {
  kind: memoryKind.meta(KIND),
  content: z.string().trim().min(1).max(MAX_CONTENT).meta(CONTENT),
  metadata: freeObject.refine(isSmall, `must have at most ${MAX_METADATA_BYTES} bytes as JSON`).meta(METADATA),
  source: z
    .strictObject({ conversationId: idIn('conversation').nullish().meta(CONVERSATION) })
    .meta({ id: 'NewMemorySource', ...SOURCE })
    .nullable()
    .meta(SOURCE),
  importance: z.number().min(0).max(1).meta(IMPORTANCE),
  expiresAt: z.iso.datetime({ offset: true }).nullable().meta(EXPIRES),
};

const newMemoryBody = z
  .strictObject({
    content: fields.content,
    kind: fields.kind.default('fact'),
    metadata: fields.metadata.optional(),
    source: fields.source.optional(),
    importance: fields.importance.optional(),
    expiresAt: fields.expiresAt.optional(),
  })
  .meta({ examples: [{ kind: 'preference', content: 'The user prefers short answers.', importance: 0.8 }] });

const memoryChanges = z
  .strictObject({
    ...fields,
    proposed: z.literal(false).meta({ description: 'False confirms a memory that a run proposed.' }),
  })
  .partial()
  .meta({ examples: [{ importance: 0.9, proposed: false }] });

const record = {
  id: ownId('memory'),
  agentId: recordId('agent'),
  kind: memoryKind.meta(KIND),
  content: z.string().meta(CONTENT),
  metadata: anyObject.meta(METADATA),
  source: z
    .object({ conversationId: z.string().nullable().meta(CONVERSATION) })
    .meta({ id: 'MemorySource', ...SOURCE }),
  importance: z.number().min(0).max(1).meta(IMPORTANCE),
  expiresAt: nullableTimestamp('When the memory expires. Null for never.'),
  proposed: flag('True if a run proposed the memory and it has not been confirmed yet.'),
  createdAt,
  updatedAt,
};
const EXAMPLE = {
  id: exampleId('memory'),
  agentId: exampleId('agent'),
  kind: 'preference',
  content: 'The user prefers short answers.',
  metadata: {},
  source: { conversationId: null },
  importance: 0.8,
  expiresAt: null,
  proposed: false,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const memorySchema = z.object(record).meta({
  id: 'Memory',
  description: 'Something that an agent remembers across conversations.',
  examples: [EXAMPLE],
});

const memoryHitSchema = z
  .object({
    ...record,
    score: z.number().min(0).max(1).meta({ description: 'How well the memory matches the query, from 0 to 1.' }),
  })
  .meta({
    id: 'MemoryHit',
    description: 'A memory that matches a query.',
    examples: [{ ...EXAMPLE, score: 0.7 }],
  });

const memoryParams = z.object({ id: idParam('agent'), memoryId: idParam('memory') });

export const listMemories = operation({
  id: 'listMemories',
  method: 'get',
  path: '/api/v1/agents/{id}/memories',
  summary: 'List memories',
  description: 'Lists the memories of an agent, newest first.',
  access: 'secret',
  params: idParams('agent'),
  query: pageQuery.extend({ kind: memoryKind.optional().meta({ description: 'Only memories of this kind.' }) }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(memorySchema)),
});

export const createMemory = operation({
  id: 'createMemory',
  method: 'post',
  path: '/api/v1/agents/{id}/memories',
  summary: 'Create a memory',
  description:
    'Adds a memory to an agent. If a memory with the same meaning exists, the two are merged and the status is 200.',
  access: 'secret',
  versioned: true,
  params: idParams('agent'),
  query: none,
  body: jsonBody(newMemoryBody, 'MAX_JSON_BYTES'),
  success: 201,
  otherSuccess: { status: 200, description: 'Merged into an existing memory with the same meaning' },
  errors: ['conflict'],
  response: one(memorySchema),
});

export const searchMemories = operation({
  id: 'searchMemories',
  method: 'get',
  path: '/api/v1/agents/{id}/memories/search',
  summary: 'Search memories',
  description: 'Searches the memories of an agent by meaning and by words, best match first.',
  access: 'secret',
  params: idParams('agent'),
  query: z.object({
    query: z
      .string('must occur exactly once')
      .max(MAX_QUERY)
      .regex(/\S/, 'must not be empty')
      .meta({ description: 'Words or a question.', examples: ['Which answers does the user prefer?'] }),
    kind: memoryKind.optional().meta({ description: 'Only memories of this kind.' }),
    limit: integerText(1, MAX_LIMIT).default(DEFAULT_LIMIT).meta({ description: 'The maximum number of memories.' }),
  }),
  body: withoutBody,
  success: 200,
  response: one(z.array(memoryHitSchema)),
});

export const getMemory = operation({
  id: 'getMemory',
  method: 'get',
  path: '/api/v1/agents/{id}/memories/{memoryId}',
  summary: 'Get a memory',
  description: 'Returns one memory of an agent.',
  access: 'secret',
  versioned: true,
  params: memoryParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(memorySchema),
});

export const updateMemory = operation({
  id: 'updateMemory',
  method: 'put',
  path: '/api/v1/agents/{id}/memories/{memoryId}',
  summary: 'Update a memory',
  description: 'Changes the given fields of a memory. `proposed: false` confirms a memory that a run proposed.',
  access: 'secret',
  versioned: true,
  params: memoryParams,
  query: none,
  body: recordBody(memoryChanges, memorySchema),
  success: 200,
  response: one(memorySchema),
});

export const deleteMemory = operation({
  id: 'deleteMemory',
  method: 'delete',
  path: '/api/v1/agents/{id}/memories/{memoryId}',
  summary: 'Delete a memory',
  description: 'Deletes one memory of an agent.',
  access: 'secret',
  versioned: true,
  params: memoryParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});
