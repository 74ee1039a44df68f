import type { MessageDeltaUsage, Usage } from '@anthropic-ai/sdk/resources/messages';
import type { CachedTokens, TokenUsage } from '#model/chat-event';
import { reportedTokens } from '#tokens/reported-tokens';

/**
 * Adds up the usage that Anthropic reports. Cached tokens, written or read, are part of the prompt.
 */
export interface UsageMeter {
  /** Counts of one message are cumulative: later ones replace earlier ones. */
  update(usage: Partial<Usage> | MessageDeltaUsage | null | undefined): void;
  /** Starts the next message of the same reply. */
  nextMessage(): void;
  /** Without the counts that no message reported. */
  total(): Partial<TokenUsage>;
  /** Undefined if the cache was not used. */
  cached(): CachedTokens | undefined;
}

interface Counts {
  readonly input?: number | undefined;
  readonly written?: number | undefined;
  readonly read?: number | undefined;
  readonly output?: number | undefined;
}

/** Creates a meter for one reply. */
export function createUsageMeter(): UsageMeter {
  let before: Counts = {};
  let now: Counts = {};
  const sum = (): Counts => ({
    input: plus(before.input, now.input),
    written: plus(before.written, now.written),
    read: plus(before.read, now.read),
    output: plus(before.output, now.output),
  });
  return {
    update(usage) {
      now = {
        input: reportedTokens(usage?.input_tokens) ?? now.input,
        written: reportedTokens(usage?.cache_creation_input_tokens) ?? now.written,
        read: reportedTokens(usage?.cache_read_input_tokens) ?? now.read,
        output: reportedTokens(usage?.output_tokens) ?? now.output,
      };
    },
    nextMessage() {
      before = sum();
      now = {};
    },
    total() {
      const { input, written = 0, read = 0, output } = sum();
      return {
        ...(input === undefined ? {} : { promptTokens: input + written + read }),
        ...(output === undefined ? {} : { completionTokens: output }),
      };
    },
    cached() {
      const { input, written = 0, read = 0 } = sum();
      return input !== undefined && written + read > 0 ? { written, read } : undefined;
    },
  };
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}
