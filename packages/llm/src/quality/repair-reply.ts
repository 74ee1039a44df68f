import { violationFree } from '#confidence/violation-free';
import type { CitationEvent, StopReason, TokenUsage } from '#model/chat-event';
import type { ChatModel, ChatRequest } from '#model/chat-model';
import { type CollectedReply, collectReply } from '#model/collect-reply';
import type { RuleName, Violation } from '#quality/quality-rule';

/** Stands between a reply and its correction. */
export const CORRECTION_DIVIDER = '\n\n---\n\n';

/** Tokens that the request for a correction adds to a prompt, beside the reply. */
export const REPAIR_TOKENS = 320;

/** Fewer tokens than this are no room for a correction. */
const LEAST_TOKENS = 64;
/** Violations that are told the model, and characters of each. */
const MOST_TOLD = 4;
const MAX_DETAIL = 150;

/** What makes a text false or none at all: a correction with one of these is no correction. */
const FALSE: ReadonlySet<RuleName> = new Set<RuleName>([
  'empty_reply',
  'dangling_marker',
  'unsupported_quote',
  'unsupported_number',
]);

const ASK = `Your answer was checked against the sources and does not hold up:
%FAULTS%
Write the answer again, in full and in the language of the question, without these faults: every statement with its source, numbers and quotes as the source has them, short enough to come to its end. Begin by saying that this corrects the answer above. Where the sources do not say it, say so.`;

/** A reply that was checked. */
export interface CheckedReply {
  readonly text: string;
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  readonly violations: readonly Violation[];
}

/**
 * Asks the model once to correct a reply, whatever check it failed; undefined where there is nothing to correct, no room for it, the model
 * declined, or it only quotes. A reply keeps to its bound together with its correction; `mostTokens` is the bound where the caller
 * of the whole named none, so that a reply which was cut off can be said again shorter. Throws what the model throws.
 */
export async function askForRepair(
  model: ChatModel,
  request: ChatRequest,
  { text, stopReason, usage, violations }: CheckedReply,
  {
    mostTokens = request.maxTokens,
    signal,
  }: { readonly mostTokens?: number | undefined; readonly signal: AbortSignal },
): Promise<CollectedReply | undefined> {
  if (violations.length === 0 || model.info.provider === 'builtin') return undefined;
  if (stopReason !== 'end' && stopReason !== 'max_tokens') return undefined;
  const maxTokens = Math.min(request.maxTokens, mostTokens - usage.completionTokens);
  if (maxTokens < LEAST_TOKENS) return undefined;
  const list = violations.slice(0, MOST_TOLD).map(({ detail }) => `- ${[...detail].slice(0, MAX_DETAIL).join('')}`);
  const messages = [
    ...request.messages,
    { role: 'assistant', content: [{ type: 'text', text }] },
    { role: 'user', content: [{ type: 'text', text: ASK.replace('%FAULTS%', () => list.join('\n')) }] },
  ] as const;
  // An empty reply is no message that could be answered: the question is simply asked again.
  const asked = { ...request, maxTokens, messages: text.trim() === '' ? request.messages : messages };
  return collectReply(model.stream(asked, { signal }));
}

/** Whether a correction is one: it came to its end, calls no tool, says nothing that is false by the checks, and fails fewer of them. */
export function correctionHolds(
  { stopReason, toolCalls }: Pick<CollectedReply, 'stopReason' | 'toolCalls'>,
  violations: readonly Violation[],
  before: readonly Violation[],
): boolean {
  if (stopReason !== 'end' || toolCalls.length > 0) return false;
  return violationFree(violations) > violationFree(before) && !violations.some(({ rule }) => FALSE.has(rule));
}

/** The correction's citations, for the text of both: moved behind what stands before it. */
export function moveCitations(citations: readonly CitationEvent[], by: number): CitationEvent[] {
  return citations.map((citation) => ({
    ...citation,
    textStart: citation.textStart + by,
    textEnd: citation.textEnd + by,
  }));
}
