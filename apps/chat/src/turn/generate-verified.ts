import {
  type AnswerConfidence,
  type ChatModel,
  type ChatRequest,
  type CitationEvent,
  createCitationLedger,
  type ShapeClassification,
  type StopReason,
  scoreAnswer,
  type TokenUsage,
} from '@lectern/llm';
import { AppError, type Logger } from '@lectern/service-kit';
import { type Generated, generate } from '#turn/generate';
import { askForRepair, repairable } from '#turn/repair';
import type { TurnEvent } from '#turn/turn-event';

/** Stands between a reply and its correction. */
const DIVIDER = '\n\n---\n\n';

/** What is to be answered, and how it is looked at. */
export interface VerifiedRequest {
  readonly model: ChatModel;
  readonly request: ChatRequest & { readonly question: string };
  readonly shape: ShapeClassification;
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
  { model, request, shape, log }: VerifiedRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, Verified, undefined> {
  const { question, sources } = request;
  const withLedger = { ...request, ledger: createCitationLedger() };
  const score = (reply: string, citations: readonly CitationEvent[], stopReason: StopReason) =>
    scoreAnswer({ question, reply, citations, sources, shape, stopReason });
  const first = yield* generate(model, withLedger, signal);
  const { text, citations, end } = first;
  const confidence = score(text, citations, end.stopReason);
  const asItIs = { text, citations, usage: end.usage, confidence };
  const faults = repairable(confidence.violations);
  if (faults.length === 0 || end.stopReason !== 'end') return asItIs;
  log.info({ model: model.id, rules: faults.map(({ rule }) => rule) }, 'a reply did not hold up');

  const said = { text, tokens: end.usage.completionTokens };
  const repaired = await askForRepair(model, withLedger, said, faults, signal).catch((error: unknown) =>
    withoutRepair(error, signal, log),
  );
  if (repaired === undefined) return asItIs;
  const usage = sum(first, repaired.usage);
  const corrected = score(repaired.text, repaired.citations, repaired.stopReason);
  if (repairable(corrected.violations).length > 0 || repaired.stopReason !== 'end') return { ...asItIs, usage };
  const before = text.trim() === '' ? '' : DIVIDER;
  yield { type: 'content_delta', delta: before + repaired.text };
  const offset = text.length + before.length;
  const moved = repaired.citations.map((citation) => ({
    ...citation,
    textStart: citation.textStart + offset,
    textEnd: citation.textEnd + offset,
  }));
  return {
    text: text + before + repaired.text,
    citations: [...citations, ...moved],
    usage,
    confidence: corrected,
  };
}

function withoutRepair(error: unknown, signal: AbortSignal, log: Logger): undefined {
  if (signal.aborted || !(error instanceof AppError)) throw error;
  log.warn({ err: error }, 'a reply could not be corrected');
  return undefined;
}

function sum({ end }: Generated, { promptTokens, completionTokens }: TokenUsage): TokenUsage {
  return {
    promptTokens: end.usage.promptTokens + promptTokens,
    completionTokens: end.usage.completionTokens + completionTokens,
  };
}
