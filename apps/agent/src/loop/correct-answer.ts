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

/** An answer, as a run's model gave it in its last step. */
export interface Answer {
  readonly content: string;
  /** Placed among what the run has seen. */
  readonly citations: readonly CitationEvent[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
}

/** What an answer is checked against. */
export interface AnswerCheck {
  readonly model: ChatModel;
  /** The call that it came from. */
  readonly request: ChatRequest & { readonly question: string };
  readonly seen: SeenSources;
  /** What tools gave back that is no document: what rests on it needs no source. */
  readonly material: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** A second call of the model, and whether what it said takes the answer's place. */
export interface Correction {
  readonly usage: TokenUsage;
  /** Undefined where it is no better. */
  readonly answer: { readonly content: string; readonly citations: readonly CitationEvent[] } | undefined;
}

/**
 * Checks an answer as a chat's reply is checked, and where it fails asks the model once for a correction; tools that it calls then are not run.
 * Undefined where nothing was asked. A run goes on without where a correction cannot be had. Throws the signal's reason.
 */
export async function correctAnswer(answer: Answer, check: AnswerCheck): Promise<Correction | undefined> {
  const { model, request, seen, signal, log } = check;
  const violations = await review(answer.content, answer.citations, answer.stopReason, check);
  if (violations.length === 0) return undefined;
  log.info({ model: model.id, rules: violations.map(({ rule }) => rule) }, 'an answer did not hold up');
  const said = { ...answer, text: answer.content, violations };
  const repaired = await requestCorrection(model, request, said, { signal }).catch((error: unknown) =>
    withoutCorrection(error, check),
  );
  if (repaired === undefined) return undefined;
  const citations = repaired.citations.map((citation) => seen.place(citation));
  const left = await review(repaired.text, citations, repaired.stopReason, check);
  const holds = correctionHolds(repaired, left, violations);
  return { usage: repaired.usage, answer: holds ? { content: repaired.text, citations } : undefined };
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
  log.warn({ err: error }, 'an answer could not be corrected');
  return undefined;
}
