import type { SourceDocument } from '@lectern/grounding';
import type { ModelProvider } from '#model/model-info';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A tool call of the model. `input` is parsed, but not checked against the tool's schema. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * The text that the model wrote, if it was not a JSON object. The caller returns an error as the
   * result.
   */
  readonly malformed?: string;
}

/**
 * Data that a provider must receive unchanged in the next request of a tool loop, e.g. Anthropic's
 * thinking. Other providers skip it.
 */
export interface ProviderPart {
  readonly type: 'provider';
  readonly provider: ModelProvider;
  readonly model: string;
  readonly data: unknown;
}

/** The result of a tool call: data for the model, never an instruction. */
export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly content: string;
  readonly isError: boolean;
  /** Documents that the tool found. The model can cite them like the sources of the request. */
  readonly sources?: readonly SourceDocument[];
}

/** A reply of the model, as it is sent in the next request. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextPart | ToolCallPart | ProviderPart)[];
}

/**
 * A message of the conversation. The model replies to the last one, which comes from `user` or
 * `tool`.
 */
export type ChatMessage =
  | { readonly role: 'user'; readonly content: readonly TextPart[] }
  | AssistantMessage
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] };

/** Returns the text of a message without its tool parts, parts joined by a blank line. */
export function messageText(message: ChatMessage): string {
  const texts: string[] = [];
  for (const part of message.content) if (part.type === 'text') texts.push(part.text);
  return texts.join('\n\n');
}

/** Returns the text of the latest user message, or '' if there is none. */
export function lastUserText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === 'user');
  return last ? messageText(last) : '';
}
