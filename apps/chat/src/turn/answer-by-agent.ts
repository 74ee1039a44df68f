import type { RunEvent, RunSettings } from '@lectern/contracts';
import { toSourceDocument } from '@lectern/grounding';
import { messageText } from '@lectern/llm';
import { AppError, type Deadline } from '@lectern/service-kit';
import { type HistoryMessage, readHistory } from '#conversations/read-history';
import type { ReplyStep } from '#conversations/reply-step';
import { toCitationEvent, toStopReason } from '#services/from-run';
import { documentsShown } from '#sources/documents-of-reply';
import type { AnswerDeps } from '#turn/answer';
import { citedSources } from '#turn/cited-sources';
import type { PreparedTurn } from '#turn/prepare-turn';
import { scoreReply } from '#turn/score-reply';
import type { TurnEvent, TurnReply } from '#turn/turn-event';
import { understand } from '#turn/understand';

/** The documents that a run reports as read. */
function documentsIn(event: NonNullable<RunEvent['event']>): readonly string[] {
  if (event.$case === 'completed') return event.value.sources.map(({ documentId }) => documentId);
  return event.$case === 'toolResult' || event.$case === 'iteration' ? event.value.documents : [];
}

/** Tools that return only text of documents that they report, or none at all. */
const TRACED_TOOLS: readonly string[] = [
  'search_documents',
  'get_document',
  'summarize_document',
  'get_datetime',
  'calculate',
];

const isUntraced = (event: NonNullable<RunEvent['event']>): boolean =>
  event.$case === 'toolResult' && !TRACED_TOOLS.includes(event.value.tool);

/** A validated question to an agent. */
export type AgentQuestion = Pick<PreparedTurn, 'conversationId' | 'before' | 'message' | 'request'> & {
  /** The messages before the question. Default: those of the conversation. */
  readonly earlier?: readonly HistoryMessage[];
  /** What the agent receives, if it is more than the question. */
  readonly given?: string;
  /** In place of those of the agent. */
  readonly agentSettings?: RunSettings | undefined;
};

type Completed = Extract<NonNullable<RunEvent['event']>, { $case: 'completed' }>;

/**
 * Answers with an agent's run instead of retrieval and a model. Passes its events on, and its
 * answer as content. Verifies and scores the answer like any other reply. `completed` is only added
 * to the steps, because it is emitted after the sources.
 */
export async function* answerByAgent(
  deps: AnswerDeps & { readonly deadline?: Pick<Deadline, 'pause'> },
  turn: AgentQuestion,
  agentId: string,
): AsyncGenerator<TurnEvent, TurnReply, undefined> {
  const { deadline, signal, services, shown } = deps;
  const { conversationId, message, request } = turn;
  const earlier = turn.earlier ?? (await readHistory(deps, conversationId, turn.before));
  for (const id of documentsShown([], earlier)) shown.add(id);
  const { question, classification } = understand(earlier, message);
  const history = earlier.map((entry) => ({ assistant: entry.role === 'assistant', content: messageText(entry) }));
  const run = services.executeAgent(
    {
      agentId,
      message: turn.given ?? message,
      ...(conversationId === '' ? {} : { conversationId }),
      history,
      collectionIds: [...request.collections],
      model: request.model,
      maxTokens: request.maxTokens,
      question,
      historyDocuments: [...documentsShown([], earlier)],
      settings: turn.agentSettings,
    },
    signal,
  );
  const texts: string[] = [];
  const steps: ReplyStep[] = [];
  let length = 0;
  let completed: Completed | undefined;
  const waits = new Map<string, () => void>();
  for await (const { event } of run) {
    if (event === undefined) continue;
    if (event.$case === 'pendingApproval') waits.set(event.value.approvalId, deadline?.pause() ?? (() => undefined));
    if (event.$case === 'approvalDecided') waits.get(event.value.approvalId)?.();
    if (event.$case === 'content') {
      texts.push(event.value.delta);
      length += event.value.delta.length;
      yield { type: 'content_delta', delta: event.value.delta };
      continue;
    }
    steps.push({ at: length, event });
    for (const id of documentsIn(event)) shown.add(id);
    if (event.$case === 'completed') completed = event;
    else yield { type: 'run', event };
  }
  if (completed === undefined) throw new AppError('upstream_error', 'The agent stopped before it finished. Try again.');
  const { usage, model, stopReason } = completed.value;
  const sources = completed.value.sources.map(toSourceDocument);
  const citations = completed.value.citations.map(toCitationEvent);
  const content = texts.join('');
  const { score, label, signals } = await scoreReply({
    question,
    reply: content,
    citations,
    sources,
    shape: classification,
    stopReason: toStopReason(stopReason),
  });
  return {
    content,
    sources: citedSources(citations, sources),
    // Intermediate output of a run can quote any document that it has read.
    documents: [...shown],
    shownDocuments: steps.some(({ event }) => isUntraced(event)) ? null : [...shown],
    confidence: { score, label, signals },
    usage: usage ?? { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    model,
    steps,
    citations,
    calls: [],
    stopReason: toStopReason(stopReason),
  };
}
