import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  Tool,
  ToolChoice,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { type Citable, citablesOf, type SourceDocument } from '@lectern/grounding';
import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { toSearchResult } from '#anthropic/anthropic-sources';
import type { AssistantMessage, ToolResultPart } from '#model/chat-message';
import type { ChatRequest } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';
import { normalizeMessages } from '#provider/normalize-messages';

/** A request to Anthropic, and its passages by `search_result_index`. */
export interface AnthropicRequest {
  readonly params: MessageCreateParamsStreaming;
  readonly citables: readonly Citable[];
}

/**
 * Caches everything before it for five minutes. That is unchanged in the next calls of a tool loop,
 * and up to the sources in the next turns.
 */
const CACHE: CacheControlEphemeral = { type: 'ephemeral' };

/** Blocks from Anthropic that are sent back unchanged. */
const providerBlocks = z.array(
  z.custom<ContentBlockParam>((block) => typeof block === 'object' && block !== null && 'type' in block),
);

/**
 * Converts a request: sources become `search_result` blocks before the latest question, tool results
 * start the user's message, and cache breakpoints follow tools, instructions, sources and results.
 * Temperature and `topP` are never sent, because newer models reject them.
 */
export function toAnthropicRequest(info: ModelInfo, request: ChatRequest): AnthropicRequest {
  const citables: Citable[] = [];
  const searchResults = (sources: readonly SourceDocument[]) => {
    const found = citablesOf(sources);
    citables.push(...found);
    // Structured output cannot contain citations.
    return found.map((citable) => toSearchResult(citable, { enabled: request.format === undefined }));
  };
  const turns = normalizeMessages(request.messages);
  const questionAt = turns.findLastIndex(({ role }) => role === 'user');
  const messages: MessageParam[] = [];
  for (const [at, turn] of turns.entries()) {
    if (turn.role === 'assistant') {
      messages.push({ role: 'assistant', content: assistantBlocks(turn, info.id) });
      continue;
    }
    const blocks: ContentBlockParam[] =
      turn.role === 'tool'
        ? turn.content.map((part) => toolResult(part, searchResults(part.sources ?? [])))
        : [
            ...(at === questionAt ? withBreakpoint(searchResults(request.sources)) : []),
            ...turn.content.map(({ text }) => ({ type: 'text' as const, text })),
          ];
    const last = messages.at(-1);
    if (last?.role === 'user' && Array.isArray(last.content)) last.content.push(...blocks);
    else messages.push({ role: 'user', content: blocks });
  }
  if (turns.at(-1)?.role === 'tool') markLast(messages);
  const system = request.system?.trim();
  return {
    params: {
      model: info.id,
      max_tokens: Math.min(request.maxTokens, info.maxOutput),
      stream: true,
      messages,
      ...(system ? { system: [{ type: 'text', text: system, cache_control: CACHE }] } : {}),
      ...(request.tools?.length ? { tools: withBreakpoint(request.tools.map(toTool)), ...toolChoiceOf(request) } : {}),
      ...(request.stop?.length ? { stop_sequences: [...request.stop] } : {}),
      ...outputOf(request),
    },
    citables,
  };
}

function assistantBlocks({ content }: AssistantMessage, model: string): ContentBlockParam[] {
  const providerParts = content.filter((part) => part.type === 'provider');
  // Only the model that produced the thinking accepts it. Other models get the text.
  const ownParts = providerParts.filter((part) => part.provider === 'anthropic' && part.model === model);
  if (ownParts.length > 0) return ownParts.flatMap(({ data }) => providerBlocks.parse(data));
  return content.flatMap((part): ContentBlockParam[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type === 'tool_call') return [{ type: 'tool_use', id: part.id, name: part.name, input: part.input }];
    return [];
  });
}

function toolResult(
  { callId, content, isError }: ToolResultPart,
  found: ReturnType<typeof toSearchResult>[],
): ToolResultBlockParam {
  const text = content.trim() === '' ? [] : [{ type: 'text' as const, text: content }];
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(found.length + text.length > 0 ? { content: [...text, ...found] } : {}),
    ...(isError ? { is_error: true } : {}),
  };
}

function toTool({ name, description, inputSchema }: NonNullable<ChatRequest['tools']>[number]): Tool {
  return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}

function toolChoiceOf({ toolChoice, parallelToolCalls }: ChatRequest): { tool_choice?: ToolChoice } {
  if (toolChoice === undefined && parallelToolCalls === undefined) return {};
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } };
  const single = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (typeof toolChoice === 'object') return { tool_choice: { type: 'tool', ...toolChoice, ...single } };
  return { tool_choice: { type: toolChoice === 'required' ? 'any' : 'auto', ...single } };
}

/**
 * Converts the format. Anthropic supports a part of JSON Schema and closed objects only: the SDK moves other
 * keywords into descriptions. Throws `invalid_request` for JSON without a schema, and for one that it cannot convert.
 */
function outputOf({ format }: ChatRequest): Pick<MessageCreateParamsStreaming, 'output_config'> {
  if (format === undefined) return {};
  if (format.type === 'json_object') {
    const message = 'requires a schema for this model: use json_schema';
    throw invalidRequest([{ path: 'response_format', message }]);
  }
  try {
    return { output_config: { format: { type: 'json_schema', schema: transformJSONSchema({ ...format.schema }) } } };
  } catch {
    const message = 'has a schema that this model does not support: each part of it needs a type';
    throw invalidRequest([{ path: 'response_format', message }]);
  }
}

function withBreakpoint<T extends { cache_control?: CacheControlEphemeral | null }>(blocks: readonly T[]): T[] {
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, cache_control: CACHE } : block));
}

function markLast(messages: readonly MessageParam[]): void {
  const content = messages.at(-1)?.content;
  const last = Array.isArray(content) ? content.at(-1) : undefined;
  if (last?.type === 'tool_result') last.cache_control = CACHE;
}
