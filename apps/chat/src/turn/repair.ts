import { type ChatModel, type ChatRequest, type CollectedReply, collectReply, type Violation } from '@lectern/llm';

/**
 * What a reply is corrected for: it says something else than its sources, or nothing. The rest is flagged alone: a reply that was cut off stays
 * within its bound, and a statement without a source is not made truer by being said twice.
 */
const REPAIRED: ReadonlySet<string> = new Set([
  'empty_reply',
  'dangling_marker',
  'unsupported_quote',
  'unsupported_number',
]);

/** Fewer tokens than this are no room for a correction. */
const LEAST_TOKENS = 64;
/** Violations that are told the model, and characters of each. */
const MOST_TOLD = 4;
const MAX_DETAIL = 150;

/** Tokens that the request for a correction adds to a prompt, beside the reply. */
export const REPAIR_TOKENS = 300;

const ASK = `Your answer was checked against the sources and does not hold up:
%FAULTS%
Write the answer again, in full and in the language of the question, without these faults. Begin by saying that this corrects the answer above. Where the sources do not say it, say so.`;

/** The violations that are worth a correction. */
export function repairable(violations: readonly Violation[]): readonly Violation[] {
  return violations.filter(({ rule }) => REPAIRED.has(rule));
}

/**
 * Asks the model once to correct its reply, within what the reply left of its bound. Undefined where there is no room for it, or the model only
 * quotes. Throws what the model throws.
 */
export async function askForRepair(
  model: ChatModel,
  request: ChatRequest,
  reply: { readonly text: string; readonly tokens: number },
  faults: readonly Violation[],
  signal: AbortSignal,
): Promise<CollectedReply | undefined> {
  const maxTokens = request.maxTokens - reply.tokens;
  if (model.info.provider === 'builtin' || maxTokens < LEAST_TOKENS) return undefined;
  // An empty reply is no message that could be answered: the question is simply asked again.
  const isEmpty = reply.text.trim() === '';
  const list = faults.slice(0, MOST_TOLD).map(({ detail }) => `- ${[...detail].slice(0, MAX_DETAIL).join('')}`);
  const messages = [
    ...request.messages,
    { role: 'assistant', content: [{ type: 'text', text: reply.text }] },
    { role: 'user', content: [{ type: 'text', text: ASK.replace('%FAULTS%', () => list.join('\n')) }] },
  ] as const;
  return collectReply(
    model.stream({ ...request, maxTokens, messages: isEmpty ? request.messages : messages }, { signal }),
  );
}
