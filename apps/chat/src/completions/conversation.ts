import { type GivenMessage, Speaker, type ToolCall } from '@lectern/contracts';
import { type ChatMessage, messageText, type ToolCallPart } from '@lectern/llm';
import { invalidRequest, notFound } from '@lectern/service-kit';
import type { CompletionRequest } from '#completions/completion-request';
import { findReferenced, readChain, type StoredCompletion } from '#completions/completion-store';
import type { HistoryMessage } from '#conversations/read-history';
import type { TurnDeps } from '#turn/turn-request';

/** A conversation that a client sent, divided at the message that is answered. */
export interface GivenConversation {
  /** The messages before the question. */
  readonly earlier: readonly HistoryMessage[];
  readonly question: string;
  /** Tool calls and their results after the question. */
  readonly following: readonly ChatMessage[];
  /** The documents that the messages after the question are based on. */
  readonly documents: readonly string[];
}

const issue = (message: string) => invalidRequest([{ path: 'messages', message }]);

function callPart({ id, name, arguments: json }: ToolCall): ToolCallPart {
  try {
    const input: unknown = json.trim() === '' ? {} : JSON.parse(json);
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      return { type: 'tool_call', id, name, input: { ...input } };
  } catch {
    // The same error as for other JSON.
  }
  throw issue(`has a call of ${name} whose arguments are not a JSON object`);
}

/** A message with the documents that it is based on. */
type Based = ChatMessage & { readonly documents: readonly string[] };

function toMessage({ speaker, content, calls, callId }: GivenMessage, documents: readonly string[]): Based {
  const text = content === '' ? [] : [{ type: 'text' as const, text: content }];
  if (speaker === Speaker.ASSISTANT) {
    return { role: 'assistant', content: [...text, ...calls.map(callPart)], documents };
  }
  if (speaker === Speaker.TOOL) {
    return { role: 'tool', content: [{ type: 'tool_result', callId, content, isError: false }], documents };
  }
  return { role: 'user', content: text, documents };
}

const replyMessage = ({ reply: { content, calls }, documents }: StoredCompletion): Based =>
  toMessage({ speaker: Speaker.ASSISTANT, content, calls, callId: '', referenceId: '' }, documents);

/** Returns the messages with referenced replies in their place. Throws `not_found`. */
function withReferences(
  messages: readonly GivenMessage[],
  referenced: ReadonlyMap<string, StoredCompletion>,
): readonly Based[] {
  let last = '';
  return messages.flatMap((message) => {
    const { referenceId } = message;
    if (referenceId === '') return toMessage(message, []);
    // A reply is one message, even if its text and calls are referenced separately.
    if (referenceId === last) return [];
    last = referenceId;
    const stored = referenced.get(referenceId);
    if (stored === undefined) throw notFound('response', referenceId);
    return replyMessage(stored);
  });
}

/**
 * Joins results of the same reply, and checks that each result has a call and each call a result, so that
 * every provider accepts the messages. Throws `invalid_request`.
 */
function checked(messages: readonly Based[]): readonly Based[] {
  const joined: Based[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'tool' && last?.role === 'tool') {
      joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else if (message.role === 'assistant' && last?.role === 'assistant') {
      const documents = [...last.documents, ...message.documents];
      joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content], documents };
    } else if (message.content.length > 0) joined.push(message);
  }
  let open: readonly string[] = [];
  for (const message of joined) {
    if (message.role === 'tool') {
      const ids = message.content.map(({ callId }) => callId);
      const unknown = ids.find((id) => !open.includes(id));
      if (unknown !== undefined)
        throw issue(`has a result for ${unknown || 'no call'}, which the reply before it does not call`);
      open = open.filter((id) => !ids.includes(id));
    }
    if (message.role !== 'tool' || open.length > 0) {
      if (open.length > 0) throw issue(`has no result for the call ${open[0]}`);
      const parts = message.role === 'assistant' ? message.content : [];
      open = parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
    }
  }
  return joined;
}

/**
 * Reads the conversation of a request: the replies that it continues, then its messages. Throws
 * `not_found` and `invalid_request`.
 */
export async function readConversation(
  deps: Pick<TurnDeps, 'db' | 'caller' | 'services'>,
  { previousId, messages }: CompletionRequest,
): Promise<GivenConversation> {
  const chain = previousId === undefined ? [] : await readChain(deps, previousId);
  const all = [...chain.flatMap((completion) => completion.messages), ...messages];
  const referenced = await findReferenced(deps, all);
  const continued = chain.flatMap((completion) => [
    ...withReferences(completion.messages, referenced),
    replyMessage(completion),
  ]);
  // Replies before the first one of the chain can be lost, and a result needs its call.
  const first = continued.findIndex(({ role }) => role === 'user');
  const known = first === -1 ? [] : continued.slice(first);
  const conversation = checked([...known, ...withReferences(messages, referenced)]);
  if (conversation.at(-1)?.role === 'assistant')
    throw issue('must end with a message of the user or the result of a tool');
  const at = conversation.findLastIndex(({ role }) => role === 'user');
  const asked = conversation[at];
  const question = asked === undefined ? '' : messageText(asked);
  if (question.trim() === '') throw issue('must contain a message of the user that is not empty');
  const following = conversation.slice(at + 1);
  return {
    earlier: conversation.slice(0, at),
    question,
    following,
    documents: following.flatMap(({ documents }) => documents),
  };
}
