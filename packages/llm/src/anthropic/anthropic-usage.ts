import type { MessageDeltaUsage, Usage } from '@anthropic-ai/sdk/resources/messages';
import type { CachedTokens, TokenUsage } from '#model/chat-event';

/** Adds up what Anthropic reports: cached tokens are part of the prompt, whether written or read. */
export interface UsageMeter {
  /** Figures of one message are cumulative: later ones stand in place of earlier ones. */
  note(usage: Partial<Usage> | MessageDeltaUsage): void;
  /** The next message of the same reply begins. */
  next(): void;
  total(): TokenUsage;
  /** Undefined where the cache had no part in it. */
  cached(): CachedTokens | undefined;
}

/** A meter for one reply. */
export function createUsageMeter(): UsageMeter {
  let before: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  let cachedBefore: CachedTokens = { written: 0, read: 0 };
  let now = { input: 0, written: 0, read: 0, output: 0 };
  const total = () => ({
    promptTokens: before.promptTokens + now.input + now.written + now.read,
    completionTokens: before.completionTokens + now.output,
  });
  const cached = () => ({ written: cachedBefore.written + now.written, read: cachedBefore.read + now.read });
  return {
    note(usage) {
      now = {
        input: usage.input_tokens ?? now.input,
        written: usage.cache_creation_input_tokens ?? now.written,
        read: usage.cache_read_input_tokens ?? now.read,
        output: usage.output_tokens ?? now.output,
      };
    },
    next() {
      before = total();
      cachedBefore = cached();
      now = { input: 0, written: 0, read: 0, output: 0 };
    },
    total,
    cached: () => {
      const counts = cached();
      return counts.written + counts.read > 0 ? counts : undefined;
    },
  };
}
