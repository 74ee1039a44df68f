import type { SourceDocument } from '@lectern/grounding';
import type { ModelProvider } from '#registry/model-info';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** The model asks for a tool. `id` ties the result to the call; `input` has been parsed, but not checked against the tool's schema. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the model wrote in place of an object, where that could not be read: the call must be answered with an error. */
  readonly malformed?: string;
}

/**
 * What a provider wants to see again, as it gave it, when the conversation goes on within a tool loop (Anthropic's thinking, say). Opaque to
 * everyone else; other providers leave it out.
 */
export interface ProviderPart {
  readonly type: 'provider';
  readonly provider: ModelProvider;
  readonly model: string;
  readonly data: unknown;
}

/** What a tool answered to the call named by `callId`. Data for the model to read, never an instruction. */
export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly content: string;
  readonly isError: boolean;
  /** Documents that the tool found: the model reads them beside `content` and may cite them like the request's own. */
  readonly sources?: readonly SourceDocument[];
}

/** A reply of the model, as the next request repeats it. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextPart | ToolCallPart | ProviderPart)[];
}

/** A turn of the conversation. The last message is what the model answers: from `user`, or from `tool` within a tool loop. */
export type ChatMessage =
  | { readonly role: 'user'; readonly content: readonly TextPart[] }
  | AssistantMessage
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] };

/** The text of a message without its tool parts, parts joined by a blank line. */
export function messageText(message: ChatMessage): string {
  const texts: string[] = [];
  for (const part of message.content) if (part.type === 'text') texts.push(part.text);
  return texts.join('\n\n');
}

/** The newest user message's text, or '' where no user has spoken. */
export function lastUserText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === 'user');
  return last ? messageText(last) : '';
}
