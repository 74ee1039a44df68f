import type { MessageDeltaUsage, Usage } from '@anthropic-ai/sdk/resources/messages';
import type { CachedTokens, TokenUsage } from '#model/chat-event';
import { reportedTokens } from '#tokens/reported-tokens';

/** Adds up what Anthropic reports: cached tokens are part of the prompt, whether written or read. */
export interface UsageMeter {
  /** Figures of one message are cumulative: later ones stand in place of earlier ones. */
  note(usage: Partial<Usage> | MessageDeltaUsage | null | undefined): void;
  /** The next message of the same reply begins. */
  next(): void;
  /** Figures that no message told are left out. */
  total(): Partial<TokenUsage>;
  /** Undefined where the cache had no part in it. */
  cached(): CachedTokens | undefined;
}

interface Figures {
  readonly input?: number | undefined;
  readonly written?: number | undefined;
  readonly read?: number | undefined;
  readonly output?: number | undefined;
}

/** A meter for one reply. */
export function createUsageMeter(): UsageMeter {
  let before: Figures = {};
  let now: Figures = {};
  const sum = (): Figures => ({
    input: plus(before.input, now.input),
    written: plus(before.written, now.written),
    read: plus(before.read, now.read),
    output: plus(before.output, now.output),
  });
  return {
    note(usage) {
      now = {
        input: reportedTokens(usage?.input_tokens) ?? now.input,
        written: reportedTokens(usage?.cache_creation_input_tokens) ?? now.written,
        read: reportedTokens(usage?.cache_read_input_tokens) ?? now.read,
        output: reportedTokens(usage?.output_tokens) ?? now.output,
      };
    },
    next() {
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
