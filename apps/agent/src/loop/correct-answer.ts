import {
  type CitationEvent,
  classifyShape,
  correctionHolds,
  reviewReply,
  type StopReason,
  type Violation,
} from '@lectern/grounding';
import {
  type ChatModel,
  type ChatRequest,
  type CollectedReply,
  requestCorrection,
  type TokenUsage,
} from '@lectern/llm';
import { AppError, type Logger } from '@lectern/service-kit';
import type { SeenSources } from '#loop/seen-sources';

/** The answer of a run's last step. */
export interface Answer {
  readonly content: string;
  /** Citations of the sources that the run has seen. */
  readonly citations: readonly CitationEvent[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
}

/** The context for checking an answer. */
export interface AnswerCheck {
  readonly model: ChatModel;
  /** The request that it answers. */
  readonly request: ChatRequest & { readonly question: string };
  readonly seen: SeenSources;
  /** Tool output that is not from documents. Claims based on it need no source. */
  readonly material: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** The result of a second call to the model. */
export interface Correction {
  readonly usage: TokenUsage;
  /** Undefined if it is no better. */
  readonly answer: { readonly content: string; readonly citations: readonly CitationEvent[] } | undefined;
}

/**
 * Checks an answer like a chat reply. If it fails, asks the model once for a correction; tools that
 * it calls then are not executed. Returns undefined if the model was not called, or if the
 * correction failed. Throws the signal's reason.
 */
export async function correctAnswer(answer: Answer, check: AnswerCheck): Promise<Correction | undefined> {
  const { model, request, seen, signal, log } = check;
  const violations = await review(answer.content, answer.citations, answer.stopReason, check);
  if (violations.length === 0) return undefined;
  log.info({ model: model.id, rules: violations.map(({ rule }) => rule) }, 'the answer violates quality rules');
  const checked = { ...answer, text: answer.content, violations };
  const repaired = await requestCorrection(model, request, checked, { signal }).catch((error: unknown) =>
    withoutCorrection(error, check),
  );
  if (repaired === undefined) return undefined;
  const citations = repaired.citations.map((citation) => seen.place(citation));
  const remaining = await review(repaired.text, citations, repaired.stopReason, check);
  const isBetter = correctionHolds(repaired, remaining, violations);
  return { usage: repaired.usage, answer: isBetter ? { content: repaired.text, citations } : undefined };
}

function review(
  reply: string,
  citations: readonly CitationEvent[],
  stopReason: StopReason,
  { request: { question }, seen, material }: AnswerCheck,
): Promise<readonly Violation[]> {
  const { shape } = classifyShape(question);
  return reviewReply({ question, reply, citations, sources: seen.list(), shape, stopReason, material });
}

function withoutCorrection(error: unknown, { signal, log }: AnswerCheck): CollectedReply | undefined {
  if (signal.aborted || !(error instanceof AppError)) throw error;
  log.warn({ err: error }, 'could not correct the answer');
  return undefined;
}
