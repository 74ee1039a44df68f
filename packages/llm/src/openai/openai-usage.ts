import type { CachedTokens } from '#model/chat-event';
import type { RawUsage } from '#openai/reply-chunk';
import { reportedTokens } from '#tokens/reported-tokens';

/** The usage that a server reports. Servers can omit counts or send invalid ones. */
export interface ReportedUsage {
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Tokens of the prompt that were read from the server's cache. */
  readonly read?: number | undefined;
}

/**
 * Returns the valid counts of a chunk's usage. Computes a missing completion count from the total.
 */
export function readUsage(usage: RawUsage): ReportedUsage {
  const promptTokens = reportedTokens(usage.prompt_tokens);
  const total = reportedTokens(usage.total_tokens);
  const rest = promptTokens === undefined || total === undefined ? undefined : reportedTokens(total - promptTokens);
  return {
    promptTokens,
    completionTokens: reportedTokens(usage.completion_tokens) ?? rest,
    read: reportedTokens(usage.prompt_tokens_details?.cached_tokens),
  };
}

/** Returns the cached tokens of a prompt. Undefined if there were none or the count is invalid. */
export function cachedOf({ read = 0 }: ReportedUsage, promptTokens: number): CachedTokens | undefined {
  return read > 0 && read <= promptTokens ? { written: 0, read } : undefined;
}
