import type { CachedTokens } from '#model/chat-event';
import type { WrittenUsage } from '#openai/reply-chunk';
import { reportedTokens } from '#tokens/reported-tokens';

/** What a server says that a reply took; servers leave figures out, or write what is none. */
export interface ReportedUsage {
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Of the prompt's tokens, those that came from the server's cache. */
  readonly read?: number | undefined;
}

/** The sound figures of a chunk's usage. A completion that is left out is what the total has beyond the prompt. */
export function readUsage(usage: WrittenUsage): ReportedUsage {
  const promptTokens = reportedTokens(usage.prompt_tokens);
  const total = reportedTokens(usage.total_tokens);
  const rest = promptTokens === undefined || total === undefined ? undefined : reportedTokens(total - promptTokens);
  return {
    promptTokens,
    completionTokens: reportedTokens(usage.completion_tokens) ?? rest,
    read: reportedTokens(usage.prompt_tokens_details?.cached_tokens),
  };
}

/** What the cache gave of a prompt; undefined where that is nothing, or more than there was. */
export function cachedOf({ read = 0 }: ReportedUsage, promptTokens: number): CachedTokens | undefined {
  return read > 0 && read <= promptTokens ? { written: 0, read } : undefined;
}
