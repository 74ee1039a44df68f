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
import { type ChatModel, type ChatRequest, requestCorrection, type TokenUsage } from '@lectern/llm';
import { AppError, type Logger } from '@lectern/service-kit';
import { generate } from '#turn/generate';
import { scoreReply } from '#turn/score-reply';
import type { TurnEvent } from '#turn/turn-event';

/** What is to be answered, and how it is looked at. */
export interface VerifiedRequest {
  readonly model: ChatModel;
  readonly request: ChatRequest & { readonly question: string };
  readonly shape: ShapeClassification;
  /** What reply and correction may come to together, in tokens. */
  readonly tokenLimit: number;
  readonly log: Logger;
}

/** A reply with what it is worth. */
export interface Verified {
  readonly text: string;
  readonly citations: readonly CitationEvent[];
  /** Of all calls of the model together. */
  readonly usage: TokenUsage;
  readonly confidence: AnswerConfidence;
}

/**
 * Passes a model's text on as it comes, then checks it. Where it does not hold up, the model is asked once for a correction, which is checked
 * before a reader sees it: one that holds up is appended, since what was said cannot be taken back, and is what the confidence speaks of;
 * otherwise the reply stays as it is, and its confidence says so. Throws what the model throws at its first call.
 */
export async function* generateVerified(
  { model, request, shape, tokenLimit, log }: VerifiedRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, Verified, undefined> {
  const { question, sources } = request;
  const withLedger = { ...request, ledger: createCitationLedger() };
  const score = (reply: string, citations: readonly CitationEvent[], stopReason: StopReason) =>
    scoreReply({ question, reply, citations, sources, shape, stopReason });
  const { text, citations, end } = yield* generate(model, withLedger, signal);
  const { usage, stopReason } = end;
  const confidence = await score(text, citations, stopReason);
  const { violations } = confidence;
  const asItIs = { text, citations, usage, confidence };
  if (violations.length === 0) return asItIs;
  log.info({ model: model.id, rules: violations.map(({ rule }) => rule) }, 'a reply did not hold up');

  const said = { text, stopReason, usage, violations };
  const repaired = await requestCorrection(model, withLedger, said, { tokenLimit, signal }).catch((error: unknown) =>
    withoutRepair(error, signal, log),
  );
  if (repaired === undefined) return asItIs;
  const both = sum(usage, repaired.usage);
  const corrected = await score(repaired.text, repaired.citations, repaired.stopReason);
  if (!correctionHolds(repaired, corrected.violations, violations)) return { ...asItIs, usage: both };
  const before = text.trim() === '' ? '' : CORRECTION_DIVIDER;
  yield { type: 'content_delta', delta: before + repaired.text };
  return {
    text: text + before + repaired.text,
    citations: [...citations, ...moveCitations(repaired.citations, text.length + before.length)],
    usage: both,
    confidence: corrected,
  };
}

function withoutRepair(error: unknown, signal: AbortSignal, log: Logger): undefined {
  if (signal.aborted || !(error instanceof AppError)) throw error;
  log.warn({ err: error }, 'a reply could not be corrected');
  return undefined;
}

const sum = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
});
