import {
  type ChatReply,
  type Confidence,
  type Conversation,
  type Message,
  MessageStatus,
  Role,
  type Source,
  type Usage,
} from '@lectern/contracts';
import { z } from 'zod';
import { timestamp } from '#http/answer-schema';
import { enumText } from '#http/enum-text';
import { time } from '#http/time';

export function source({ id, title, excerpt, url }: Source) {
  return { id, title, excerpt, url };
}

export function confidence(value: Confidence | undefined) {
  if (value === undefined) return null;
  const { score, label, signals } = value;
  if (signals === undefined) return { score, label };
  const { coverageRatio, shapeConfidence, coverageCompleteness, violationFree } = signals;
  return { score, label, signals: { coverageRatio, shapeConfidence, coverageCompleteness, violationFree } };
}

export function usage(value: Usage | undefined) {
  const { promptTokens, completionTokens, totalTokens } = value ?? {
    promptTokens: 0,
    completionTokens: 0,
    totalTokens: 0,
  };
  return { promptTokens, completionTokens, totalTokens };
}

/** A whole reply. */
export function chatReply(reply: ChatReply) {
  return {
    id: reply.id,
    conversationId: reply.conversationId,
    content: reply.content,
    sources: reply.sources.map(source),
    answer_confidence: confidence(reply.answerConfidence),
    usage: usage(reply.usage),
    model: reply.model,
  };
}

/** A conversation as lists show it. */
export function conversationItem(conversation: Conversation) {
  return {
    id: conversation.id,
    title: conversation.title,
    agentId: conversation.agentId ?? null,
    messageCount: conversation.messageCount,
    createdAt: time(conversation.createdAt),
    updatedAt: time(conversation.updatedAt),
  };
}

function message({ id, role, content, sources, answerConfidence, usage: used, createdAt, status, withheld }: Message) {
  const head = { id, role: enumText(Role, role), content };
  if (role !== Role.ASSISTANT) return { ...head, createdAt: time(createdAt) };
  return {
    ...head,
    status: enumText(MessageStatus, status),
    withheld,
    sources: sources.map(source),
    answer_confidence: confidence(answerConfidence),
    usage: usage(used),
    createdAt: time(createdAt),
  };
}

/** A conversation with its messages, oldest first. */
export function conversationRecord(conversation: Conversation) {
  return { ...conversationItem(conversation), messages: conversation.messages.map(message) };
}

const sourceSchema = z
  .object({ id: z.string(), title: z.string(), excerpt: z.string(), url: z.string().nullable().optional() })
  .meta({ id: 'ChatSource', description: 'A document that a reply cites; [1] in its text is the first' });

const share = z.number().min(0).max(1);

export const confidenceSchema = z
  .object({
    score: share,
    label: z.enum(['high', 'medium', 'low']),
    signals: z
      .object({
        coverageRatio: share,
        shapeConfidence: share,
        coverageCompleteness: share,
        violationFree: share,
      })
      .optional(),
  })
  .meta({ id: 'AnswerConfidence', description: 'How far a reply rests on its sources' });

export const usageSchema = z
  .object({ promptTokens: z.int(), completionTokens: z.int(), totalTokens: z.int() })
  .meta({ id: 'Usage', description: 'Tokens' });

export const sourcesSchema = z.array(sourceSchema);

const AT_EXAMPLE = '2026-11-21T10:00:00.000Z';
const CONVERSATION_ID = 'conv_01h455vb4pex5vsknk084sn02q';
const REPLY_EXAMPLE = {
  id: 'msg_01h455vb4pex5vsknk084sn02q',
  content: 'Thirty days a year [1].',
  sources: [{ id: 'doc_01h455vb4pex5vsknk084sn02q', title: 'Leave', excerpt: 'Thirty days a year.', url: null }],
  answer_confidence: { score: 0.91, label: 'high' },
  usage: { promptTokens: 210, completionTokens: 12, totalTokens: 222 },
};

export const chatReplySchema = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    content: z.string(),
    sources: sourcesSchema,
    answer_confidence: confidenceSchema.nullable(),
    usage: usageSchema,
    model: z.string(),
  })
  .meta({
    id: 'ChatReply',
    examples: [{ ...REPLY_EXAMPLE, conversationId: CONVERSATION_ID, model: 'builtin-extractive' }],
  });

const conversation = {
  id: z.string(),
  title: z.string(),
  agentId: z.string().nullable(),
  messageCount: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
};
const CONVERSATION_EXAMPLE = {
  id: CONVERSATION_ID,
  title: 'Leave',
  agentId: null,
  messageCount: 2,
  createdAt: AT_EXAMPLE,
  updatedAt: AT_EXAMPLE,
};

export const conversationItemSchema = z.object(conversation).meta({
  id: 'ConversationItem',
  description: 'A conversation as lists show it',
  examples: [CONVERSATION_EXAMPLE],
});

const messageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    status: z.enum(['complete', 'timed_out']).optional(),
    withheld: z.boolean().optional().meta({
      description: 'True if the reply is based on documents that were deleted or that you can no longer read',
    }),
    sources: sourcesSchema.optional(),
    answer_confidence: confidenceSchema.nullable().optional(),
    usage: usageSchema.optional(),
    createdAt: timestamp,
  })
  .meta({
    id: 'ChatMessage',
    description:
      'Only replies have status, withheld, sources, confidence and usage. A reply that timed out contains the text generated before the timeout, without sources and confidence',
  });

export const conversationRecordSchema = z.object({ ...conversation, messages: z.array(messageSchema) }).meta({
  id: 'Conversation',
  examples: [{ ...CONVERSATION_EXAMPLE, messages: [{ ...REPLY_EXAMPLE, role: 'assistant', createdAt: AT_EXAMPLE }] }],
});

export const modelSchema = z
  .object({
    id: z.string(),
    provider: z.string(),
    contextWindow: z.int(),
    recommendedMaxTokens: z.int(),
    defaultMaxOutput: z.int(),
    maxOutput: z.int(),
    supportsTools: z.boolean(),
    default: z.boolean().meta({
      description:
        'True for the model used when a request names none. No model is the default while the server that provides it is unavailable',
    }),
  })
  .meta({
    id: 'Model',
    description: 'A language model that chat may name',
    examples: [
      {
        id: 'builtin-extractive',
        provider: 'builtin',
        contextWindow: 128_000,
        recommendedMaxTokens: 100_000,
        defaultMaxOutput: 1_024,
        maxOutput: 4_096,
        supportsTools: false,
        default: true,
      },
    ],
  });
