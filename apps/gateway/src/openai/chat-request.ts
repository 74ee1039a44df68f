import { type CompleteRequest, type GivenMessage, Speaker } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { contentSchema, textOf } from '#openai/content';
import {
  collectionsOf,
  commonFields,
  functionSchema,
  given,
  givenTool,
  jsonSchemaFormat,
  rejectField,
  replyFormat,
  stopField,
  tokenLimit,
  tools,
} from '#openai/options';

const MAX_MESSAGES = 2_000;

const toolCall = z.looseObject({
  id: z.string().min(1).max(200),
  type: z.literal('function').optional(),
  function: z.looseObject({ name: z.string().min(1).max(64), arguments: z.string() }),
});

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: contentSchema.nullish(),
  tool_calls: z.array(toolCall).max(128).nullish(),
  tool_call_id: z.string().max(200).nullish(),
});

/** The body of a chat completion. Other fields are ignored, like other compatible servers do. */
export const chatBody = z.looseObject({
  ...commonFields,
  messages: z.array(message).min(1).max(MAX_MESSAGES),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokenLimit,
  max_completion_tokens: tokenLimit,
  stop: stopField.nullish(),
  n: z.literal(1, 'must be 1. Send several requests for several replies').nullish(),
  tools: tools(z.looseObject({ type: z.literal('function', 'must be function'), function: functionSchema })),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string().max(64) }) }),
    ])
    .nullish(),
  response_format: z.looseObject({ type: z.string(), json_schema: jsonSchemaFormat.nullish() }).nullish(),
  modalities: z.array(z.literal('text', 'must be text')).nullish(),
});

export type ChatBody = z.output<typeof chatBody>;

type Message = z.output<typeof message>;

function toGiven({ role, content, tool_calls: calls, tool_call_id: callId }: Message, at: number): GivenMessage {
  const base = { content: textOf(content, `messages[${at}].content`), calls: [], callId: '', referenceId: '' };
  if (role === 'tool') {
    if (!callId) throw invalidRequest([{ path: `messages[${at}].tool_call_id`, message: 'is required' }]);
    return { ...base, speaker: Speaker.TOOL, callId };
  }
  if (role !== 'assistant') return { ...base, speaker: Speaker.USER };
  const named = (calls ?? []).map(({ id, function: called }) => ({ id, ...called }));
  return {
    ...base,
    speaker: Speaker.ASSISTANT,
    calls: named.map(({ id, name, arguments: json }) => ({ id, name, arguments: json })),
  };
}

const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer';

function toolChoiceOf(choice: ChatBody['tool_choice']): string {
  if (choice === undefined || choice === null) return '';
  return typeof choice === 'string' ? choice : `tool:${choice.function.name}`;
}

/** Converts the body of a chat completion, except its model. Throws `invalid_request`. */
export function chatCompletionRequest(body: ChatBody): CompleteRequest {
  rejectField(body, 'logprobs', 'is not supported');
  rejectField(body, 'audio', 'is not supported');
  rejectField(body, 'functions', 'is not supported. Use tools');
  const { messages, stop, response_format: format } = body;
  const instructions = messages.flatMap((one, at) =>
    isInstruction(one) ? [textOf(one.content, `messages[${at}].content`)] : [],
  );
  return {
    messages: messages.flatMap((one, at) => (isInstruction(one) ? [] : [toGiven(one, at)])),
    instructions: instructions.join('\n\n'),
    collectionIds: collectionsOf(body),
    maxTokens: given(body.max_completion_tokens ?? body.max_tokens),
    tools: (body.tools ?? []).map(({ function: tool }) => givenTool(tool)),
    toolChoice: toolChoiceOf(body.tool_choice),
    parallelToolCalls: given(body.parallel_tool_calls),
    temperature: given(body.temperature),
    topP: given(body.top_p),
    stop: stop === undefined || stop === null ? [] : [stop].flat(),
    format: format ? replyFormat(format.type, 'response_format', given(format.json_schema)) : undefined,
    store: false,
    details: '',
  };
}
