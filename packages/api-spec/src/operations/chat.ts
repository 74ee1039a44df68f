import { z } from 'zod';
import { jsonBody, optionalJsonBody, withoutBody } from '#body';
import {
  anyObject,
  booleanText,
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  id,
  idParam,
  integer,
  linkedIds,
  modelName,
  ownId,
  pageQuery,
  recordId,
  searchedCollections,
  text,
  timestamp,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { approvalDecided, pendingApproval } from '#operations/approval-events';
import { ONE_LINE } from '#patterns';

const MAX_MESSAGE = 32_000;
const MAX_TOKENS = 1_000_000;
const MAX_COMMENT = 2_000;
const MAX_TITLE = 200;
const MAX_TITLE_QUERY = 200;

/** The body of a question. */
export const chatBody = z
  .strictObject({
    message: z
      .string()
      .max(MAX_MESSAGE)
      .regex(/\S/, 'must not be empty')
      .meta({ description: 'The message of the user.', examples: ['How many days of leave do I have?'] }),
    conversationId: id.optional().meta({ description: 'Continues this conversation. Omit it to start a new one.' }),
    collections: searchedCollections.optional(),
    model: modelName.optional().meta({ description: 'The id of a language model from `GET /api/v1/models`.' }),
    agentId: id.optional().meta({ description: 'The id of an agent that writes the reply.' }),
    maxTokens: z
      .int()
      .min(1)
      .max(MAX_TOKENS)
      .optional()
      .meta({ description: 'The maximum number of tokens in the reply. The default depends on the model.' }),
  })
  .meta({
    id: 'ChatRequest',
    description: 'A question.',
    examples: [{ message: 'How many days of leave do I have?', collections: [exampleId('collection')] }],
  });

export type ChatBody = z.output<typeof chatBody>;

/** The body of a new reply to the last message. Omitted fields keep the values of that message. */
const regenerateBody = chatBody.pick({ collections: true, model: true, maxTokens: true }).meta({
  id: 'RegenerateRequest',
  description: 'What differs for the new reply.',
  examples: [{ maxTokens: 500 }],
});

export type RegenerateBody = z.output<typeof regenerateBody>;

const sourceSchema = z
  .object({
    id: text('The id of the document.', exampleId('document')),
    title: text('The title of the document.'),
    excerpt: text('The cited passage.'),
    url: z.string().nullable().optional().meta({ description: 'The URL of the document, if it has one.' }),
  })
  .meta({ id: 'ChatSource', description: 'A document that a reply cites. `[1]` in the text means the first source.' });

/** The sources of a reply. */
export const sourcesSchema = z
  .array(sourceSchema)
  .meta({ description: 'The cited documents, in the order of their numbers in the text.' });

const share = (description: string) => z.number().min(0).max(1).meta({ description });

export const confidenceSchema = z
  .object({
    score: share('The confidence from 0 to 1.'),
    label: z.enum(['high', 'medium', 'low']).meta({
      id: 'ConfidenceLabel',
      description: '`high` from 0.75, `medium` from 0.45, otherwise `low`.',
    }),
    signals: z
      .object({
        coverageRatio: share('How well the reply covers the retrieved sources. Weight 50 %.'),
        shapeConfidence: share(
          'How clearly the type of the question was recognized. Less if the sources give the answer little support, 0 if the reply does not answer. Weight 20 %.',
        ),
        coverageCompleteness: share('Whether all groups of sources are represented. Weight 15 %.'),
        violationFree: share(
          'Whether the reply passed all quality checks. Less if the sources give the answer little support, 0 if the reply does not answer. Weight 15 %.',
        ),
      })
      .meta({ id: 'ConfidenceSignals', description: 'The parts of the score.' })
      .optional(),
  })
  .meta({ id: 'AnswerConfidence', description: 'How well the sources support a reply.' });

export const tokensSchema = z
  .object({
    promptTokens: integer('Tokens of the prompt.'),
    completionTokens: integer('Tokens of the reply.'),
    totalTokens: integer('Prompt and reply tokens together.'),
  })
  .meta({ id: 'Usage', description: 'The tokens of a request to a language model.' });

/** The confidence of a reply. Null for a reply without one. */
export const nullableConfidence = confidenceSchema
  .nullable()
  .meta({ description: 'How well the sources support the reply. Null if it could not be assessed.' });

const REPLY_EXAMPLE = {
  id: exampleId('message'),
  content: 'Thirty days a year [1].',
  sources: [{ id: exampleId('document'), title: 'Leave', excerpt: 'Thirty days a year.', url: null }],
  answer_confidence: { score: 0.91, label: 'high' },
  usage: { promptTokens: 210, completionTokens: 12, totalTokens: 222 },
};

const chatReplySchema = z
  .object({
    id: recordId('message', 'The id of the reply.'),
    conversationId: recordId('conversation'),
    content: text('The text of the reply. `[1]` refers to the first source.'),
    sources: sourcesSchema,
    answer_confidence: nullableConfidence,
    usage: tokensSchema,
    model: text('The language model that wrote the reply.', 'builtin-extractive'),
  })
  .meta({
    id: 'ChatReply',
    description: 'A reply with its sources.',
    examples: [{ ...REPLY_EXAMPLE, conversationId: exampleId('conversation'), model: 'builtin-extractive' }],
  });

const conversation = {
  id: ownId('conversation'),
  title: text('The title: the start of the first message, until you change it.'),
  agentId: z.string().nullable().meta({ description: 'The agent of the conversation, if there is one.' }),
  messageCount: integer('The number of messages and replies.'),
  createdAt,
  updatedAt: timestamp('When the last message was added.'),
  user: z.string().nullable().meta({
    description: 'The email address of the person or end user who asks. Null for a key without an end user.',
  }),
  shared: flag('True if signed-in people of the team can read it.'),
  readOnly: flag('True if somebody else shares it with you: you can neither change nor continue it.'),
};
const CONVERSATION_EXAMPLE = {
  id: exampleId('conversation'),
  title: 'Leave',
  agentId: null,
  messageCount: 2,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
  user: 'ada@example.com',
  shared: false,
  readOnly: false,
};

const conversationItemSchema = z.object(conversation).meta({
  id: 'ConversationItem',
  description: 'A conversation in a list.',
  examples: [CONVERSATION_EXAMPLE],
});

export const feedbackReason = z
  .enum(['wrong', 'incomplete', 'outdated', 'not_found', 'wrong_source', 'unclear', 'other'])
  .meta({
    id: 'FeedbackReason',
    description:
      'What is wrong with a reply. `wrong`: it is false. `incomplete`: it lacks something. `outdated`: it was true earlier. `not_found`: the documents have an answer that the reply lacks. `wrong_source`: the cited passages do not support it. `unclear`: it is hard to understand.',
  });
export type FeedbackReasonName = z.output<typeof feedbackReason>;

const comment = z
  .string()
  .max(MAX_COMMENT)
  .optional()
  .meta({ description: 'What you want to add.', examples: ['The policy changed in May.'] });

export const feedbackRating = z
  .enum(['up', 'down'])
  .meta({ id: 'FeedbackRating', description: 'Whether the reply helped.' });

export const feedbackBody = z
  .strictObject({
    rating: feedbackRating,
    reason: feedbackReason.optional().meta({ description: 'What is wrong with the reply. Only for `down`.' }),
    comment,
  })
  .refine(({ rating, reason }) => rating === 'down' || reason === undefined, {
    path: ['reason'],
    message: 'is only allowed with the rating down',
  })
  .meta({
    id: 'GiveFeedbackRequest',
    description: 'What you think of a reply.',
    examples: [{ rating: 'down', reason: 'outdated', comment: 'The policy changed in May.' }],
  });

export type FeedbackBody = z.output<typeof feedbackBody>;

export const feedbackSchema = z
  .object({
    rating: feedbackRating,
    reason: feedbackReason.nullable().meta({ description: 'What is wrong with the reply. Null if not given.' }),
    comment: z.string().nullable().meta({ description: 'What the person added. Null if nothing, or if withheld.' }),
    updatedAt: timestamp('When the feedback was given.'),
  })
  .meta({
    id: 'ReplyFeedback',
    description: 'What one person thinks of a reply.',
    examples: [
      {
        rating: 'down',
        reason: 'outdated',
        comment: 'The policy changed in May.',
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

const messageSchema = z
  .object({
    id: text('The id of the message.', exampleId('message')),
    role: z.enum(['user', 'assistant']).meta({ id: 'MessageRole', description: 'Who wrote the message.' }),
    content: text('The text of the message.'),
    status: z
      .enum(['complete', 'timed_out'])
      .meta({ id: 'ReplyStatus', description: 'Whether the reply is complete.' })
      .optional(),
    withheld: z.boolean().optional().meta({
      description: 'True if the reply is based on documents that were deleted or that you can no longer read.',
    }),
    sources: sourcesSchema.optional(),
    answer_confidence: nullableConfidence.optional(),
    usage: tokensSchema.optional(),
    feedback: feedbackSchema.nullable().optional().meta({ description: 'Your own feedback. Null if you gave none.' }),
    createdAt,
  })
  .meta({
    id: 'ChatMessage',
    description:
      'A message or a reply. Only replies have `status`, `withheld`, `sources`, `answer_confidence`, `usage` and `feedback`. A reply that timed out contains the text generated before the timeout, without sources and confidence.',
  });

const conversationSchema = z
  .object({ ...conversation, messages: z.array(messageSchema).meta({ description: 'The messages, oldest first.' }) })
  .meta({
    id: 'Conversation',
    description: 'A conversation with its messages.',
    examples: [
      { ...CONVERSATION_EXAMPLE, messages: [{ ...REPLY_EXAMPLE, role: 'assistant', createdAt: EXAMPLE_TIME }] },
    ],
  });

const conversationBody = z
  .strictObject({
    title: z
      .string()
      .max(MAX_TITLE)
      .regex(new RegExp(ONE_LINE), 'must have a character that is not a space, and no control characters')
      .optional()
      .meta({ description: 'The new title, on one line.', examples: ['Leave in 2027'] }),
    shared: z.boolean().optional().meta({
      description:
        'Whether signed-in people of the team can read the conversation, including later messages. They see a reply only if they may read everything that the model saw. Only signed-in people and keys of the whole team can share; editors can also stop others from sharing.',
    }),
  })
  .meta({ id: 'UpdateConversationRequest', description: 'What changes.', examples: [{ title: 'Leave in 2027' }] });

const suggestionsSchema = z
  .object({
    questions: z.array(z.string()).meta({
      description:
        'At most 4 questions: those whose reply you rated `up`, headings that are questions, and questions about documents, in the language of each document.',
    }),
    searchable: flag('False if there is no document that you can search yet.'),
    pendingDocuments: integer('The number of documents that wait to be indexed and that you may read.'),
  })
  .meta({
    id: 'Suggestions',
    description: 'Questions to start with.',
    examples: [{ questions: ['How many days of leave do I have?'], searchable: true, pendingDocuments: 0 }],
  });

const modelSchema = z
  .object({
    id: text('The id of the model.', 'builtin-extractive'),
    provider: text('The provider of the model.', 'builtin'),
    contextWindow: integer('The maximum number of tokens of prompt and reply together.'),
    recommendedMaxTokens: integer('The recommended maximum number of tokens of the prompt.'),
    defaultMaxOutput: integer('The maximum number of tokens of a reply if `maxTokens` is omitted.'),
    maxOutput: integer('The highest allowed value of `maxTokens`.'),
    supportsTools: flag('True if agents can use the model.'),
    default: flag(
      'True for the model used when a request names none. No model is the default while the server that provides it is unavailable.',
    ),
    endpoint: z
      .object({
        id: recordId('model_endpoint'),
        name: text('The name of the endpoint.', 'Ollama'),
      })
      .meta({ id: 'ModelSource', description: 'The endpoint of the team that offers a model.' })
      .nullable()
      .meta({ description: 'The endpoint of the team that offers it. Null for a model of the installation.' }),
  })
  .meta({
    id: 'Model',
    description: 'A language model for chat.',
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
        endpoint: null,
      },
    ],
  });

const anyValues = (description: string) => anyObject.meta({ description });
const toolName = text('The name of the tool.', 'search_documents');

/** The events of a reply. It ends only when the gateway ends, because the reply would be lost. */
const REPLY_STREAM = {
  name: 'Reply',
  events: {
    message_start: z.object({
      id: text('The id of the reply.', exampleId('message')),
      conversationId: text('The id of the conversation.', exampleId('conversation')),
    }),
    agent_start: z.object({
      iteration: z.int().min(1).meta({ description: 'The number of the iteration, counted from 1.' }),
    }),
    tool_call: z.object({ tool: toolName, params: anyValues('The arguments of the call.') }),
    tool_result: z.object({ tool: toolName, result: anyValues('The result of the call.') }),
    pending_approval: pendingApproval,
    approval_decided: approvalDecided,
    agent_thinking: z.object({ thought: text('What the agent plans to do.') }),
    content_delta: z.object({ delta: text('The next piece of the text.') }),
    sources: z.object({ sources: sourcesSchema }),
    message_end: z.object({ usage: tokensSchema, answer_confidence: nullableConfidence }),
  },
  terminal: 'message_end',
  restartable: false,
  resumable: true,
} as const;

/** The team of a path. The key check compares it with the team of the key. */
const teamParams = z.object({
  teamId: z
    .string()
    .register(linkedIds, { kind: 'team' })
    .meta({ description: 'The id of the team, from `GET /api/v1/key`.', examples: [exampleId('team')] }),
});

const conversationParams = teamParams.extend({ id: idParam('conversation') });
const replyParams = conversationParams.extend({ messageId: idParam('message') });

export const chat = operation({
  id: 'chat',
  method: 'post',
  path: '/api/v1/teams/{teamId}/chat',
  summary: 'Send a message',
  description: 'Sends a message and returns the complete reply with its sources, confidence and token usage.',
  access: 'secret',
  params: teamParams,
  query: none,
  body: jsonBody(chatBody),
  success: 200,
  usage: 'chat',
  response: one(chatReplySchema),
  errors: ['upstream_error'],
});

export const streamChat = operation({
  id: 'streamChat',
  method: 'post',
  path: '/api/v1/teams/{teamId}/chat/stream',
  summary: 'Send a message and stream the reply',
  description:
    'Sends a message and streams the reply as Server-Sent Events. After a broken connection, send the same request with `Last-Event-ID` to resume the stream.',
  access: 'secret',
  params: teamParams,
  query: none,
  body: jsonBody(chatBody),
  success: 200,
  usage: 'chat',
  errors: ['upstream_error'],
  stream: REPLY_STREAM,
});

export const regenerate = operation({
  id: 'regenerate',
  method: 'post',
  path: '/api/v1/teams/{teamId}/conversations/{id}/regenerate',
  summary: 'Regenerate the last reply',
  description:
    'Replaces the last reply of a conversation with a new one. Omitted fields keep the values of the last message.',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: optionalJsonBody(regenerateBody),
  success: 200,
  usage: 'chat',
  response: one(chatReplySchema),
  errors: ['upstream_error'],
});

export const streamRegenerate = operation({
  id: 'streamRegenerate',
  method: 'post',
  path: '/api/v1/teams/{teamId}/conversations/{id}/regenerate/stream',
  summary: 'Regenerate the last reply and stream it',
  description: 'Replaces the last reply of a conversation and streams the new one as Server-Sent Events.',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: optionalJsonBody(regenerateBody),
  success: 200,
  usage: 'chat',
  errors: ['upstream_error'],
  stream: REPLY_STREAM,
});

export const listModels = operation({
  id: 'listModels',
  method: 'get',
  path: '/api/v1/models',
  summary: 'List language models',
  description:
    'Lists the language models that chat requests can name: those of the endpoints of the team, and those of the installation.',
  access: 'secret',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(z.array(modelSchema)),
});

export const listConversations = operation({
  id: 'listConversations',
  method: 'get',
  path: '/api/v1/teams/{teamId}/conversations',
  summary: 'List conversations',
  description:
    'Lists conversations, most recently used first. A key of restricted scope and an end user list only their own conversations.',
  access: 'secret',
  params: teamParams,
  query: pageQuery.extend({
    query: z
      .string('must occur exactly once')
      .max(MAX_TITLE_QUERY)
      .optional()
      .meta({ description: 'Only conversations whose title contains this text, in any case.', examples: ['leave'] }),
    shared: booleanText.optional().meta({
      description:
        'With `true`, the shared conversations instead of your own: signed-in people list those of the whole team.',
    }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(conversationItemSchema)),
});

export const getConversation = operation({
  id: 'getConversation',
  method: 'get',
  path: '/api/v1/teams/{teamId}/conversations/{id}',
  summary: 'Get a conversation',
  description:
    'Returns a conversation with its messages. Replies based on documents that you can no longer read are withheld.',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(conversationSchema),
});

export const updateConversation = operation({
  id: 'updateConversation',
  method: 'put',
  path: '/api/v1/teams/{teamId}/conversations/{id}',
  summary: 'Rename or share a conversation',
  description:
    'Changes the title of a conversation, or whether signed-in people of the team can read it. Only the fields in the body change.',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: jsonBody(conversationBody),
  success: 200,
  response: one(conversationItemSchema),
});

export const deleteConversation = operation({
  id: 'deleteConversation',
  method: 'delete',
  path: '/api/v1/teams/{teamId}/conversations/{id}',
  summary: 'Delete a conversation',
  description: 'Deletes a conversation with its messages. This cannot be undone.',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const giveFeedback = operation({
  id: 'giveFeedback',
  method: 'post',
  path: '/api/v1/teams/{teamId}/conversations/{id}/messages/{messageId}/feedback',
  summary: 'Give feedback on a reply',
  description:
    'Stores whether a reply helped you, and why it did not. It replaces your earlier feedback on the reply. It is deleted with the conversation, or when the reply is regenerated.',
  access: 'secret',
  params: replyParams,
  query: none,
  body: jsonBody(feedbackBody),
  success: 200,
  response: one(feedbackSchema),
});

export const deleteFeedback = operation({
  id: 'deleteFeedback',
  method: 'delete',
  path: '/api/v1/teams/{teamId}/conversations/{id}/messages/{messageId}/feedback',
  summary: 'Remove your feedback on a reply',
  description: 'Removes your own feedback on a reply.',
  access: 'secret',
  params: replyParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const getSuggestions = operation({
  id: 'getSuggestions',
  method: 'get',
  path: '/api/v1/teams/{teamId}/suggestions',
  summary: 'Suggest questions',
  description: 'Suggests questions about documents that you may read, and returns whether there are any.',
  access: 'secret',
  params: teamParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(suggestionsSchema),
});
