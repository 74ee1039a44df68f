import { type CompleteRequest, type GivenMessage, isId, Speaker } from '@lectern/contracts';
import { invalidRequest, notFound } from '@lectern/service-kit';
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
  tokenLimit,
  tools,
} from '#openai/options';

const MAX_ITEMS = 2_000;
const MAX_DETAILS = 48 * 1024;

const callId = z.string().min(1).max(200);
const roles = z.enum(['system', 'developer', 'user', 'assistant']);

const messageItem = z.looseObject({ type: z.literal('message').optional(), role: roles, content: contentSchema });
const typedItem = z.discriminatedUnion('type', [
  messageItem.extend({ type: z.literal('message') }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: callId,
    name: z.string().min(1).max(64),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: callId, output: contentSchema }),
  z.looseObject({ type: z.literal('item_reference'), id: z.string().max(200) }),
  z.looseObject({ type: z.literal('reasoning') }),
]);

type Item = z.output<typeof typedItem>;

/** A message can omit its type. */
const inputItem: z.ZodType<Item> = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !('type' in value) ? { ...value, type: 'message' } : value,
  typedItem,
);

const format = z.looseObject({ type: z.string(), name: z.string().optional() });

/** The body of a response. Other fields are ignored, like other compatible servers do. */
export const responsesBody = z.looseObject({
  ...commonFields,
  input: z.union([z.string().min(1), z.array(inputItem).min(1).max(MAX_ITEMS)]),
  instructions: z.string().nullish(),
  max_output_tokens: tokenLimit,
  previous_response_id: z.string().max(200).nullish(),
  store: z.boolean().nullish(),
  tools: tools(functionSchema.extend({ type: z.literal('function', 'must be function') })),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.looseObject({ type: z.literal('function'), name: z.string().max(64) }),
    ])
    .nullish(),
  text: z.looseObject({ format: format.nullish() }).nullish(),
});

export type ResponsesBody = z.output<typeof responsesBody>;

/** Returns the id of a stored reply. Throws `not_found`. */
export function replyIdOf(responseId: string): string {
  const id = responseId.replace(/^resp_/, 'msg_');
  if (!responseId.startsWith('resp_') || !isId('message', id)) throw notFound('response', responseId);
  return id;
}

/** The ids of items contain the key of their reply: `msg_KEY`, `fc_KEY_0`. */
function referencedReply(itemId: string): string {
  const id = itemId.replace(/^fc_(\w+)_\d+$/, 'msg_$1');
  if (!isId('message', id)) throw notFound('item', itemId);
  return id;
}

const NONE = { content: '', calls: [], callId: '', referenceId: '' };

function toGiven(item: Item, at: number): readonly GivenMessage[] {
  switch (item.type) {
    case 'message': {
      if (item.role === 'system' || item.role === 'developer') return [];
      const speaker = item.role === 'assistant' ? Speaker.ASSISTANT : Speaker.USER;
      return [{ ...NONE, speaker, content: textOf(item.content, `input[${at}].content`) }];
    }
    case 'function_call': {
      const call = { id: item.call_id, name: item.name, arguments: item.arguments };
      return [{ ...NONE, speaker: Speaker.ASSISTANT, calls: [call] }];
    }
    case 'function_call_output':
      return [
        { ...NONE, speaker: Speaker.TOOL, content: textOf(item.output, `input[${at}].output`), callId: item.call_id },
      ];
    case 'item_reference':
      return [{ ...NONE, speaker: Speaker.ASSISTANT, referenceId: referencedReply(item.id) }];
    case 'reasoning':
      // Lectern returns no reasoning; items of another server mean nothing to it.
      return [];
  }
}

function instructionsIn(items: readonly Item[]): readonly string[] {
  return items.flatMap((item, at) =>
    item.type === 'message' && (item.role === 'system' || item.role === 'developer')
      ? [textOf(item.content, `input[${at}].content`)]
      : [],
  );
}

function toolChoiceOf(choice: ResponsesBody['tool_choice']): string {
  if (choice === undefined || choice === null) return '';
  return typeof choice === 'string' ? choice : `tool:${choice.name}`;
}

function formatOf({ text }: ResponsesBody): CompleteRequest['format'] {
  const described = text?.format;
  if (!described) return undefined;
  if (described.type !== 'json_schema') return replyFormat(described.type, 'text.format', undefined);
  const parsed = jsonSchemaFormat.safeParse(described);
  if (!parsed.success) throw invalidRequest([{ path: 'text.format', message: 'must have a name and a schema' }]);
  return replyFormat(described.type, 'text.format', parsed.data);
}

/** The fields of a request that its response repeats. */
export const echoSchema = z.object({
  model: z.string(),
  instructions: z.string().nullable(),
  max_output_tokens: z.number().nullable(),
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  store: z.boolean(),
  temperature: z.number(),
  text: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  tools: z.array(z.unknown()),
  top_p: z.number(),
  user: z.string().nullable(),
});

export type Echo = z.output<typeof echoSchema>;

/** Returns the fields that the response repeats. Long instructions and tools are left out. */
export function echoOf(body: ResponsesBody): Echo {
  const echo = {
    model: body.model,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    user: body.user ?? null,
  };
  const isShort = JSON.stringify(echo).length <= MAX_DETAILS;
  return isShort ? echo : { ...echo, instructions: null, tools: [], text: { format: { type: 'text' } }, metadata: {} };
}

/** Converts the body of a response, except its model. Throws `invalid_request` and `not_found`. */
export function responsesRequest(body: ResponsesBody): CompleteRequest {
  rejectField(body, 'background', 'is not supported');
  rejectField(body, 'conversation', 'is not supported. Use previous_response_id');
  rejectField(body, 'prompt', 'is not supported. Send instructions and input');
  const items: readonly Item[] =
    typeof body.input === 'string' ? [{ type: 'message', role: 'user', content: body.input }] : body.input;
  const { previous_response_id: previous, store } = body;
  return {
    messages: items.flatMap(toGiven),
    instructions: [...(body.instructions ? [body.instructions] : []), ...instructionsIn(items)].join('\n\n'),
    collectionIds: collectionsOf(body),
    maxTokens: given(body.max_output_tokens),
    tools: (body.tools ?? []).map(givenTool),
    toolChoice: toolChoiceOf(body.tool_choice),
    parallelToolCalls: given(body.parallel_tool_calls),
    temperature: given(body.temperature),
    topP: given(body.top_p),
    stop: [],
    format: formatOf(body),
    previousId: previous === undefined || previous === null ? undefined : replyIdOf(previous),
    store: store ?? true,
    details: JSON.stringify(echoOf(body)),
  };
}
