import { z } from 'zod';
import { type ModelCall, ModelError } from '#emulators/models/model-server';

const text = z.string();
const toolCall = z.strictObject({
  id: z.string().min(1).max(64),
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    arguments: z.string().refine(isJsonObject),
  }),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: text.min(1) }),
  z.strictObject({ role: z.literal('user'), content: text.min(1) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: text.min(1).nullish(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: text.min(1) }),
]);
const body = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  max_tokens: z.number().int().min(1).optional(),
  max_completion_tokens: z.number().int().min(1).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  stop: z.array(z.string().min(1)).min(1).max(4).optional(),
  parallel_tool_calls: z.boolean().optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
    ])
    .optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          schema: z.looseObject({}),
          strict: z.boolean().optional(),
        }),
      }),
    ])
    .optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }).optional(),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .min(1)
    .optional(),
});

/** A valid request. */
export type OpenAiBody = z.output<typeof body>;

export interface OpenAiRules {
  /** If it is not set, requests must not have a key. */
  readonly apiKey?: string;
  /** The models, with their fields in `GET /v1/models`. */
  readonly models: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Fields that are rejected, like by older and local servers. */
  readonly unknownFields?: readonly (keyof OpenAiBody)[];
  /** True to return 404 for `GET /v1/models`. */
  readonly hasNoList?: boolean;
}

const invalid = (message: string) => new ModelError(400, 'invalid_request_error', message);

/** Checks key and path. Throws `ModelError`. */
export function checkAccess({ method, path, headers }: ModelCall, { apiKey, hasNoList }: OpenAiRules): void {
  const expected = apiKey === undefined ? undefined : `Bearer ${apiKey}`;
  if (headers.authorization !== expected) {
    throw new ModelError(401, 'invalid_request_error', `Incorrect API key provided: ${headers.authorization}`);
  }
  const known = path === '/v1/models' && !hasNoList ? 'GET' : path === '/v1/chat/completions' ? 'POST' : undefined;
  if (known !== method) throw new ModelError(404, 'invalid_request_error', `Unknown request URL: ${method} ${path}`);
}

/** Checks a call against the documentation of Chat Completions. Throws `ModelError`. */
export function checkOpenAi({ body: sent }: ModelCall, rules: OpenAiRules): OpenAiBody {
  const unknown = (rules.unknownFields ?? []).find((field) => Object.hasOwn(sent, field));
  if (unknown) throw invalid(`Unsupported parameter: '${unknown}' is not supported with this model.`);
  const parsed = body.safeParse(sent);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const request = parsed.data;
  if (!Object.hasOwn(rules.models, request.model)) {
    throw new ModelError(404, 'invalid_request_error', `The model \`${request.model}\` does not exist`);
  }
  if (request.max_tokens !== undefined && request.max_completion_tokens !== undefined) {
    throw invalid('max_tokens and max_completion_tokens cannot both be set');
  }
  if (request.stream_options && !request.stream) throw invalid('stream_options is only allowed when streaming');
  checkTurns(request);
  return request;
}

function checkTurns({ messages }: OpenAiBody): void {
  let waiting = new Set<string>();
  let before = '';
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.tool_call_id)) throw invalid(`messages.${at}: no call ${message.tool_call_id}`);
      before = message.role;
      continue;
    }
    if (waiting.size > 0) throw invalid(`messages.${at}: tool calls without a result: ${[...waiting].join(', ')}`);
    if (message.role === 'system' && at > 0) throw invalid(`messages.${at}: the system message must be first`);
    if (message.role === before) throw invalid(`messages.${at}: roles must alternate`);
    if (message.role === 'assistant') {
      const calls = message.tool_calls ?? [];
      if (!message.content && calls.length === 0) throw invalid(`messages.${at}: content or tool_calls`);
      waiting = new Set(calls.map(({ id }) => id));
    }
    before = message.role;
  }
  if (waiting.size > 0 || before === 'assistant') throw invalid('messages: nothing to answer');
}

function isJsonObject(json: string): boolean {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}
