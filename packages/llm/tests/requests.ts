import type { SourceDocument } from '@lectern/grounding';
import { type ModelServer, waitUntil } from '@lectern/testing';
import type { ChatEvent, ChatMessage, ChatModel, ChatRequest, CollectedReply } from '#index';
import { collectReply } from '#index';

/** Returns a user message. */
export const userMessage = (text: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text }] });

/** Two documents, the second with two passages. */
export const LEAVE = 'New parents take up to 18 weeks of paid leave. They inform their manager eight weeks ahead.';
export const LAPTOPS =
  'Every laptop is encrypted with FileVault. The key is kept by the IT team in a safe place that only IT can open.';
export const LOST = 'A lost laptop is reported within one hour. IT then wipes it.';
export const SOURCES: readonly SourceDocument[] = [
  {
    id: 'doc_leave',
    title: 'Parental leave',
    url: 'https://docs.example.com/leave',
    passages: [{ text: LEAVE, heading: 'Benefits', start: 0, end: LEAVE.length }],
  },
  {
    id: 'doc_laptops',
    title: 'Laptops',
    passages: [
      { text: LAPTOPS, start: 0, end: LAPTOPS.length },
      { text: LOST, start: 200, end: 200 + LOST.length },
    ],
  },
];

/** The timeout of a request. */
const TEST_DEADLINE_MS = 15_000;

/** Requests a complete reply. */
export function ask(
  model: ChatModel,
  request: Partial<ChatRequest> = {},
  signal?: AbortSignal,
): Promise<CollectedReply> {
  return collectReply(streamOf(model, request, signal));
}

/** Requests the events of a reply. */
export function streamOf(
  model: ChatModel,
  request: Partial<ChatRequest> = {},
  signal: AbortSignal = AbortSignal.timeout(TEST_DEADLINE_MS),
): AsyncIterable<ChatEvent> {
  return model.stream({ messages: [userMessage('What is new?')], sources: [], maxTokens: 500, ...request }, { signal });
}

/** Waits for the first call. */
export const called = <T>(server: ModelServer<T>): Promise<void> =>
  waitUntil(() => server.calls.length > 0, { timeoutMs: 5_000, what: 'a call' });

/** Waits until no call is open. */
export const closed = <T>(server: ModelServer<T>): Promise<void> =>
  waitUntil(() => server.open === 0, { timeoutMs: 1_000, what: 'the end of all calls' });
