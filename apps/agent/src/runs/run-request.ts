import type { ExecuteAgentRequest, RunSettings } from '@lectern/contracts';
import type { ChatMessage } from '@lectern/llm';
import { type Issue, invalidRequest } from '@lectern/service-kit';

/** The maximum length of a message, in code points. */
const MAX_MESSAGE = 32_000;

/** A validated request for a run. */
export interface RunRequest {
  readonly agentId: string;
  readonly message: string;
  readonly question: string;
  readonly conversationId: string | undefined;
  readonly history: readonly ChatMessage[];
  /** An empty list means all collections that caller and agent can access. */
  readonly collectionIds: readonly string[];
  readonly model: string | undefined;
  readonly maxTokens: number | undefined;
  /** The documents that the history is based on. */
  readonly historyDocuments: readonly string[];
  /** In place of those of the agent. */
  readonly settings: RunSettings | undefined;
}

/** Validates a request. Throws `invalid_request`. */
export function readRunRequest(request: ExecuteAgentRequest): RunRequest {
  const { message, question, history } = request;
  const issues = messageIssues(message);
  if (issues.length > 0) throw invalidRequest(issues);
  return {
    agentId: request.agentId,
    message,
    question: question?.trim() || message,
    conversationId: request.conversationId,
    history: history.map(({ assistant, content }): ChatMessage => {
      const parts = [{ type: 'text', text: content }] as const;
      return assistant ? { role: 'assistant', content: parts } : { role: 'user', content: parts };
    }),
    collectionIds: [...new Set(request.collectionIds)],
    model: request.model,
    maxTokens: request.maxTokens,
    historyDocuments: [...new Set(request.historyDocuments)],
    settings: request.settings,
  };
}

function messageIssues(message: string): Issue[] {
  const path = 'message';
  if (message.trim() === '') return [{ path, message: 'must not be empty' }];
  if ([...message].length > MAX_MESSAGE) return [{ path, message: `must have at most ${MAX_MESSAGE} characters` }];
  if (message.includes('\u0000')) return [{ path, message: 'must not contain the character U+0000' }];
  return [];
}
