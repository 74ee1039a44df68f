import { type CompleteRequest, type GivenMessage, isId, Speaker } from '@lectern/contracts';
import type { ReplyOptions, ToolChoice, ToolDefinition } from '@lectern/llm';
import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';

/** Characters of the message that is answered. Also the limit of a question to an agent. */
const MAX_QUESTION = 100_000;
const MAX_AGENT_QUESTION = 32_000;
const MAX_MESSAGES = 2_000;
const MAX_DETAILS = 64 * 1024;

const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
/** A message of a completion as it is stored. */
export const storedMessage = z.object({
  speaker: z.enum(Speaker),
  content: z.string(),
  calls: z.array(toolCall),
  callId: z.string(),
  referenceId: z.string(),
});

/** A validated request for a completion. */
export interface CompletionRequest {
  readonly messages: readonly GivenMessage[];
  readonly instructions: string;
  readonly collections: readonly string[];
  readonly model: string | undefined;
  readonly agentId: string | undefined;
  readonly maxTokens: number | undefined;
  readonly options: ReplyOptions;
  readonly previousId: string | undefined;
  readonly store: boolean;
  readonly details: string;
}

const issue = (path: string, message: string) => invalidRequest([{ path, message }]);

function parseObject(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    throw issue(path, 'must be a JSON object');
  }
}

function toolChoiceOf(choice: string, tools: readonly ToolDefinition[]): ToolChoice | undefined {
  if (choice === '') return undefined;
  if (choice === 'auto' || choice === 'none') return choice;
  if (tools.length === 0) throw issue('tool_choice', 'requires tools');
  if (choice === 'required') return choice;
  const name = choice.replace(/^tool:/, '');
  if (!tools.some((tool) => tool.name === name)) throw issue('tool_choice', 'must name one of the tools');
  return { name };
}

function formatOf({ format }: CompleteRequest): ReplyOptions['format'] {
  if (format === undefined) return undefined;
  if (format.type === 'json_object') return { type: 'json_object' };
  const { name, description, strict } = format;
  return {
    type: 'json_schema',
    name,
    schema: parseObject(format.schema, 'response_format'),
    ...(description === '' ? {} : { description }),
    ...(strict === undefined ? {} : { strict }),
  };
}

function optionsOf(request: CompleteRequest): ReplyOptions {
  const { parallelToolCalls, temperature, topP, stop } = request;
  const tools = request.tools.map(({ name, description, parameters, strict }, at) => ({
    name,
    description,
    inputSchema: parseObject(parameters, `tools[${at}]`),
    ...(strict === undefined ? {} : { strict }),
  }));
  const toolChoice = toolChoiceOf(request.toolChoice, tools);
  const format = formatOf(request);
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === undefined || tools.length === 0 ? {} : { toolChoice }),
    ...(parallelToolCalls === undefined || tools.length === 0 ? {} : { parallelToolCalls }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(format === undefined ? {} : { format }),
  };
}

/** Validates a request. The messages are checked together with those that they continue. Throws `invalid_request`. */
export function readCompletionRequest(request: CompleteRequest): CompletionRequest {
  const { messages, agentId, previousId, details, instructions, model, maxTokens, store } = request;
  if (messages.length === 0) throw issue('messages', 'must not be empty');
  if (messages.length > MAX_MESSAGES) throw issue('messages', `must have at most ${MAX_MESSAGES} items`);
  if (details.length > MAX_DETAILS) throw issue('details', 'is too long');
  if (maxTokens !== undefined && maxTokens < 1) throw issue('maxTokens', 'must be at least 1');
  for (const id of [previousId, ...messages.map(({ referenceId }) => referenceId || undefined)]) {
    if (id !== undefined && !isId('message', id)) throw issue('previous_response_id', 'is not an id of a response');
  }
  const options = optionsOf(request);
  if (agentId !== undefined) requireNoOptions(options);
  return {
    messages,
    instructions,
    collections: [...new Set(request.collectionIds)],
    model,
    agentId,
    maxTokens,
    options,
    previousId,
    store,
    details,
  };
}

/** Sampling settings change nothing that an agent promises, and are ignored. Throws `invalid_request`. */
function requireNoOptions({ tools, toolChoice, stop, format }: ReplyOptions): void {
  const own = 'is not available for agents, which use their own tools and instructions';
  if (tools !== undefined && toolChoice !== 'none') throw issue('tools', own);
  if (stop !== undefined) throw issue('stop', own);
  if (format !== undefined) throw issue('response_format', own);
}

/** Throws `invalid_request` if the message that is answered is too long. */
export function requireQuestionLength(question: string, agentId: string | undefined): void {
  const most = agentId === undefined ? MAX_QUESTION : MAX_AGENT_QUESTION;
  if (question.length > most) throw issue('messages', `must end with a message of at most ${most} characters`);
}
