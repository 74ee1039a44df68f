import {
  type AnswerConfidence,
  type CitationEvent,
  CORRECTION_DIVIDER,
  correctionHolds,
  createCitationLedger,
  moveCitations,
  type ShapeClassification,
  type StopReason,
} from '@lectern/grounding';
import { type ChatModel, type ChatRequest, requestCorrection, type TokenUsage, type ToolCallEvent } from '@lectern/llm';
import { AppError, type Logger } from '@lectern/service-kit';
import { generate } from '#turn/generate';
import { scoreReply } from '#turn/score-reply';
import type { TurnEvent } from '#turn/turn-event';

/** A request to a model, with the settings for checking its reply. */
export interface VerifiedRequest {
  readonly model: ChatModel;
  readonly request: ChatRequest & { readonly question: string };
  readonly shape: ShapeClassification;
  /** The maximum length of reply and correction together, in tokens. */
  readonly tokenLimit: number;
  readonly log: Logger;
}

/** A checked reply. */
export interface Verified {
  readonly text: string;
  readonly citations: readonly CitationEvent[];
  /** Total of all calls to the model. */
  readonly usage: TokenUsage;
  readonly confidence: AnswerConfidence;
  readonly calls: readonly ToolCallEvent[];
  readonly stopReason: StopReason;
}

/**
 * Streams a model's text, then checks it. If the check finds violations, asks the model once for a
 * correction and checks that too. A valid correction is appended, because the text has already been
 * sent, and determines the confidence. Otherwise the reply keeps its lower confidence. Throws what
 * the first call to the model throws.
 */
export async function* generateVerified(
  { model, request, shape, tokenLimit, log }: VerifiedRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, Verified, undefined> {
  const { question, sources } = request;
  const withLedger = { ...request, ledger: createCitationLedger() };
  const score = (reply: string, citations: readonly CitationEvent[], stopReason: StopReason) =>
    scoreReply({ question, reply, citations, sources, shape, stopReason });
  const { text, citations, calls, end } = yield* generate(model, withLedger, signal);
  const { usage, stopReason } = end;
  const confidence = await score(text, citations, stopReason);
  const { violations } = confidence;
  const unchanged = { text, citations, usage, confidence, calls, stopReason };
  // A correction would break JSON, and text before tool calls is not an answer.
  if (violations.length === 0 || calls.length > 0 || request.format !== undefined) return unchanged;
  log.info({ model: model.id, rules: violations.map(({ rule }) => rule) }, 'the reply violates quality rules');

  const reply = { text, stopReason, usage, violations };
  const repaired = await requestCorrection(model, withLedger, reply, { tokenLimit, signal }).catch((error: unknown) =>
    withoutRepair(error, signal, log),
  );
  if (repaired === undefined) return unchanged;
  const both = sum(usage, repaired.usage);
  const corrected = await score(repaired.text, repaired.citations, repaired.stopReason);
  if (!correctionHolds(repaired, corrected.violations, violations)) return { ...unchanged, usage: both };
  const before = text.trim() === '' ? '' : CORRECTION_DIVIDER;
  yield { type: 'content_delta', delta: before + repaired.text };
  return {
    text: text + before + repaired.text,
    citations: [...citations, ...moveCitations(repaired.citations, text.length + before.length)],
    usage: both,
    confidence: corrected,
    calls,
    stopReason: repaired.stopReason,
  };
}

function withoutRepair(error: unknown, signal: AbortSignal, log: Logger): undefined {
  if (signal.aborted || !(error instanceof AppError)) throw error;
  log.warn({ err: error }, 'could not correct the reply');
  return undefined;
}

const sum = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
});
