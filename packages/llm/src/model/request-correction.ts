import type { StopReason, Violation } from '@lectern/grounding';
import type { TokenUsage } from '#model/chat-event';
import type { ChatModel, ChatRequest } from '#model/chat-model';
import { type CollectedReply, collectReply } from '#model/collect-reply';

/** Tokens that the request for a correction adds to a prompt, besides the reply. */
export const CORRECTION_PROMPT_TOKENS = 320;

/** With fewer tokens left, no correction is requested. */
const MIN_CORRECTION_TOKENS = 64;
const MAX_VIOLATIONS = 4;
/** Characters of each violation that the prompt includes. */
const MAX_DETAIL = 150;

const PROMPT = `Your answer was checked against the sources and does not hold up:
%FAULTS%
Write the answer again, in full and in the language of the question, without these faults: every statement with its source, numbers and quotes as the source has them, short enough to come to its end. Begin by stating that this corrects the answer above. If the sources do not contain it, state that.`;

/** A reply and the result of its quality checks. */
export interface CheckedReply {
  readonly text: string;
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  readonly violations: readonly Violation[];
}

export interface CorrectionOptions {
  /**
   * Limit of reply and correction together, in tokens; defaults to the request's. A caller whose own
   * client named no limit passes a higher one, so that a truncated reply can be repeated shorter.
   */
  readonly tokenLimit?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks the model once to correct a reply. Returns undefined if there is nothing to correct, no
 * tokens are left, the model declined to reply, or it only quotes. Throws what the model throws.
 */
export async function requestCorrection(
  model: ChatModel,
  request: ChatRequest,
  { text, stopReason, usage, violations }: CheckedReply,
  { tokenLimit = request.maxTokens, signal }: CorrectionOptions,
): Promise<CollectedReply | undefined> {
  if (violations.length === 0 || model.info.provider === 'builtin') return undefined;
  if (stopReason !== 'end' && stopReason !== 'max_tokens') return undefined;
  const maxTokens = Math.min(request.maxTokens, tokenLimit - usage.completionTokens);
  if (maxTokens < MIN_CORRECTION_TOKENS) return undefined;
  const faults = violations
    .slice(0, MAX_VIOLATIONS)
    .map(({ detail }) => `- ${[...detail].slice(0, MAX_DETAIL).join('')}`);
  const messages = [
    ...request.messages,
    { role: 'assistant', content: [{ type: 'text', text }] },
    { role: 'user', content: [{ type: 'text', text: PROMPT.replace('%FAULTS%', () => faults.join('\n')) }] },
  ] as const;
  // Providers reject an empty assistant message, so the question is repeated instead.
  const corrected = { ...request, maxTokens, messages: text.trim() === '' ? request.messages : messages };
  return collectReply(model.stream(corrected, { signal }));
}
