import { z } from 'zod';
import { type ModelCall, ModelError } from '#emulators/models/model-server';

const cacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish();
const notBlank = z.string().refine((text) => text.trim() !== '', 'text content blocks must be non-empty');

const userText = z.strictObject({
  type: z.literal('text'),
  text: notBlank,
  cache_control: cacheControl,
  citations: z.array(z.never('citations are not accepted on text of a user message')).nullish(),
});
const searchResult = z.strictObject({
  type: z.literal('search_result'),
  source: z.string().min(1),
  title: z.string().min(1),
  content: z.array(userText).min(1),
  citations: z.strictObject({ enabled: z.boolean() }).optional(),
  cache_control: cacheControl,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [userText, searchResult]))]).optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl,
});
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.unknown()),
  cache_control: cacheControl,
});
const assistantText = z.strictObject({
  type: z.literal('text'),
  text: notBlank,
  cache_control: cacheControl,
  citations: z.array(z.looseObject({ type: z.string(), cited_text: z.string() })).nullish(),
});
const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) });
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) });

const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.union([notBlank, z.array(z.discriminatedUnion('type', [userText, searchResult, toolResult])).min(1)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([
      notBlank,
      z.array(z.discriminatedUnion('type', [assistantText, toolUse, thinking, redacted])).min(1),
    ]),
  }),
]);

const body = z.strictObject({
  model: z.string(),
  max_tokens: z.number().int().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  system: z
    .union([
      z.string(),
      z.array(z.strictObject({ type: z.literal('text'), text: notBlank, cache_control: cacheControl })),
    ])
    .optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        cache_control: cacheControl,
        type: z.literal('custom').nullish(),
        strict: z.boolean().optional(),
      }),
    )
    .optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({
        type: z.literal('tool'),
        name: z.string(),
        disable_parallel_tool_use: z.boolean().optional(),
      }),
    ])
    .optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  cache_control: cacheControl,
  output_config: z
    .looseObject({
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }).optional(),
    })
    .optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
});

/** A valid request. */
export type AnthropicBody = z.output<typeof body>;
export type AnthropicSearchResult = z.output<typeof searchResult>;

const VERSIONS = ['2023-06-01', '2026-10-21'];
const SAMPLING = ['temperature', 'top_p', 'top_k'];

export interface AnthropicRules {
  readonly apiKey: string;
  /** The maximum of `max_tokens` by model. Other models return 404. */
  readonly models: Readonly<Record<string, number>>;
}

const invalid = (text: string) => new ModelError(400, 'invalid_request_error', text);

/** Checks the key and the version of a call. Throws `ModelError`. */
export function checkAnthropicAccess({ headers }: ModelCall, rules: AnthropicRules): void {
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (key !== rules.apiKey) throw new ModelError(401, 'authentication_error', `invalid x-api-key ${key}`);
  const version = headers['anthropic-version'];
  if (typeof version !== 'string' || !VERSIONS.includes(version)) throw invalid(`anthropic-version: ${version}`);
}

/** Checks a call against the documentation of the Messages API. Throws `ModelError`. */
export function checkAnthropic(call: ModelCall, rules: AnthropicRules, afterPause: boolean): AnthropicBody {
  const { method, path, headers, body: sent } = call;
  checkAnthropicAccess(call, rules);
  if (method !== 'POST' || path !== '/v1/messages') throw new ModelError(404, 'not_found_error', `${method} ${path}`);
  const version = headers['anthropic-version'];
  if (!headers['content-type']?.startsWith('application/json')) throw invalid('content-type must be application/json');
  const sampling = SAMPLING.find((field) => Object.hasOwn(sent, field));
  if (version !== '2023-06-01' && sampling) throw invalid(`${sampling}: is not supported by this API version`);
  const parsed = body.safeParse(sent);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const limit = rules.models[parsed.data.model];
  if (limit === undefined) throw new ModelError(404, 'not_found_error', `model: ${parsed.data.model}`);
  if (parsed.data.max_tokens > limit) throw invalid(`max_tokens: ${parsed.data.max_tokens} > ${limit}`);
  checkTurns(parsed.data, afterPause);
  checkBreakpoints(sent);
  checkToolChoice(parsed.data);
  const results = searchResultsOf(parsed.data);
  if (new Set(results.map(({ citations }) => citations?.enabled === true)).size > 1) {
    throw invalid('citations must be enabled for all search results or for none');
  }
  const format = parsed.data.output_config?.format;
  if (format !== undefined) {
    if (results.some(({ citations }) => citations?.enabled === true)) {
      throw invalid('citations are not compatible with structured outputs');
    }
    checkOutputSchema(format.schema);
  }
  return parsed.data;
}

/** The search results of a request, in the order of the citation indexes. */
export function searchResultsOf({ messages }: AnthropicBody): AnthropicSearchResult[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'user' || typeof content === 'string') return [];
    return content.flatMap((block) => {
      if (block.type === 'search_result') return [block];
      if (block.type !== 'tool_result' || typeof block.content === 'string') return [];
      return (block.content ?? []).filter((inner) => inner.type === 'search_result');
    });
  });
}

function checkToolChoice({ tool_choice: choice, tools = [] }: AnthropicBody): void {
  if (choice === undefined) return;
  if (tools.length === 0) throw invalid('tool_choice may only be specified while providing tools');
  if (choice.type === 'tool' && !tools.some(({ name }) => name === choice.name)) {
    throw invalid(`Tool '${choice.name}' not found in provided tools`);
  }
}

/** Keywords that structured outputs do not support. */
const UNSUPPORTED = ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'maxItems', 'oneOf'];

/** Checks a schema and those within it. */
function checkOutputSchema(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (Array.isArray(schema)) {
    for (const item of schema) checkOutputSchema(item);
    return;
  }
  const fields = new Map(Object.entries(schema));
  if (fields.get('type') === 'object' && fields.get('additionalProperties') !== false) {
    throw invalid(
      "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    );
  }
  for (const [name, value] of fields) {
    if (name === 'properties' || name === '$defs')
      for (const one of Object.values(Object(value))) checkOutputSchema(one);
    else if (UNSUPPORTED.includes(name)) throw invalid(`output_config.format.schema: '${name}' is not supported`);
    else checkOutputSchema(value);
  }
}

function checkTurns({ messages, tools = [] }: AnthropicBody, afterPause: boolean): void {
  if (messages[0]?.role !== 'user') throw invalid('messages: first message must use the "user" role');
  if (messages.at(-1)?.role !== 'user' && !afterPause)
    throw invalid('This model does not support assistant message prefill.');
  const names = tools.map(({ name }) => name);
  if (new Set(names).size < names.length) throw invalid('tools: names must be unique');
  let waiting = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    if (at > 0 && messages[at - 1]?.role === role) throw invalid(`messages.${at}: roles must alternate`);
    const blocks = typeof content === 'string' ? [] : content;
    const results = blocks.filter((block) => block.type === 'tool_result');
    const inFront = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result');
    if (!inFront) throw invalid(`messages.${at}: tool_result blocks must come first`);
    for (const { tool_use_id } of results) {
      if (!waiting.delete(tool_use_id)) throw invalid(`messages.${at}: unexpected tool_use_id ${tool_use_id}`);
    }
    if (waiting.size > 0) {
      throw invalid(`messages.${at}: tool_use ids were found without tool_result blocks: ${[...waiting].join(', ')}`);
    }
    const uses = blocks.filter((block) => block.type === 'tool_use');
    if (uses.length > 0 && tools.length === 0) throw invalid('tools must be given where messages hold tool_use');
    waiting = new Set(uses.map(({ id }) => id));
    if (waiting.size < uses.length) throw invalid(`messages.${at}: tool_use ids must be unique`);
  }
}

function checkBreakpoints(sent: unknown): void {
  const found = JSON.stringify(sent).split('"cache_control":{').length - 1;
  if (found > 4) throw invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${found}.`);
}
