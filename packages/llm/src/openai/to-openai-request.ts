import { type Citable, citablesOf, type SourceDocument } from '@lectern/grounding';
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import type { AssistantMessage, ToolResultPart } from '#model/chat-message';
import type { ChatRequest, ReplyFormat, ToolChoice } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';
import type { OpenAiDialect } from '#openai/openai-dialect';
import { normalizeMessages } from '#provider/normalize-messages';

/** A Chat Completions request and its passages. The nth passage is cited as `[n]`, from 1. */
export interface OpenAiRequest {
  readonly params: ChatCompletionCreateParamsStreaming;
  readonly citables: readonly Citable[];
}

const CITE = `Each source has a number. After every statement that rests on a source, write its number in square brackets, like [1] or [2][3], inside the sentence's line. Use only numbers of sources you were given, and never a list of sources at the end.`;

/** Tokens that these instructions and the tags around the sources add to a prompt. */
export const CITING_TOKENS = 80;

/**
 * Converts a request: numbered sources before the latest question, and instructions on how to cite
 * them.
 */
export function toOpenAiRequest(info: ModelInfo, request: ChatRequest, dialect: OpenAiDialect): OpenAiRequest {
  const citables: Citable[] = [];
  const numbered = (sources: readonly SourceDocument[]): string => {
    const found = citablesOf(sources);
    const texts = found.map(({ source, title, heading, passage }, at) => {
      const above = found[at - 1]?.source.id === source.id ? '' : `# ${title}\n`;
      return `${above}[${citables.length + at + 1}] ${heading}\n${passage.text.trim()}`;
    });
    citables.push(...found);
    return texts.join('\n\n');
  };
  const turns = normalizeMessages(request.messages);
  const questionAt = turns.findLastIndex(({ role }) => role === 'user');
  const messages = turns.flatMap((turn, at): ChatCompletionMessageParam[] => {
    if (turn.role === 'assistant') return [assistantMessage(turn)];
    if (turn.role === 'tool') {
      return turn.content.map((part) => ({
        role: 'tool',
        tool_call_id: part.callId,
        content: resultText(part, numbered(part.sources ?? [])),
      }));
    }
    const text = turn.content.map((part) => part.text).join('\n\n');
    const sources = at === questionAt ? numbered(request.sources) : '';
    return [{ role: 'user', content: sources === '' ? text : `<sources>\n${sources}\n</sources>\n\n${text}` }];
  });
  const system = [request.system?.trim() ?? '', citables.length > 0 && request.format === undefined ? CITE : '']
    .filter(Boolean)
    .join('\n\n');
  const maxTokens = Math.min(request.maxTokens, info.maxOutput);
  const hasTools = request.tools !== undefined && request.tools.length > 0;
  return {
    params: {
      model: info.id,
      stream: true,
      messages: system === '' ? messages : [{ role: 'system', content: system }, ...messages],
      [dialect.maxTokensField]: maxTokens,
      ...(dialect.requestsUsage ? { stream_options: { include_usage: true } } : {}),
      ...(hasTools ? { tools: request.tools.map(toTool), ...toolSettings(request) } : {}),
      ...(dialect.sendsSampling === false ? {} : samplingOf(request)),
      ...(request.stop?.length ? { stop: [...request.stop] } : {}),
      ...(request.format === undefined ? {} : { response_format: toResponseFormat(request.format) }),
      ...(hasTools && dialect.toolsWithoutReasoning ? { reasoning_effort: 'none' as const } : {}),
    },
    citables,
  };
}

function assistantMessage({ content }: AssistantMessage): ChatCompletionMessageParam {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const calls = content.filter((part) => part.type === 'tool_call');
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ id, name, input }) => ({
            id,
            type: 'function' as const,
            function: { name, arguments: JSON.stringify(input) },
          })),
        }
      : {}),
  };
}

function resultText({ content, isError }: ToolResultPart, sources: string): string {
  const text = isError ? `Error: ${content}` : content;
  return [text, sources].filter((part) => part.trim() !== '').join('\n\n') || '(nothing)';
}

function toTool({
  name,
  description,
  inputSchema,
  strict,
}: NonNullable<ChatRequest['tools']>[number]): ChatCompletionTool {
  const parameters = { ...inputSchema, type: 'object' };
  const definition = { name, description, parameters, ...(strict === undefined ? {} : { strict }) };
  return { type: 'function', function: definition };
}

const toToolChoice = (choice: ToolChoice): ChatCompletionToolChoiceOption =>
  typeof choice === 'string' ? choice : { type: 'function', function: choice };

function toolSettings({ toolChoice, parallelToolCalls }: ChatRequest) {
  return {
    ...(toolChoice === undefined ? {} : { tool_choice: toToolChoice(toolChoice) }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function samplingOf({ temperature, topP }: ChatRequest) {
  return { ...(temperature === undefined ? {} : { temperature }), ...(topP === undefined ? {} : { top_p: topP }) };
}

function toResponseFormat(format: ReplyFormat): NonNullable<ChatCompletionCreateParamsStreaming['response_format']> {
  if (format.type === 'json_object') return { type: 'json_object' };
  const { type, schema, ...named } = format;
  return { type, json_schema: { ...named, schema: { ...schema } } };
}
