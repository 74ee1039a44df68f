import type { CorpusQuery } from '#corpus/corpus';
import type { IndexedCorpus } from '#ingest/ingest';
import { runClosedLoop } from '#load/closed-loop';
import { type LoadSummary, summarize } from '#load/latency';
import type { Api } from '#system/api';

const WARM_UP = 3;
const MAX_MS = 60_000;

/**
 * Measures blocking chat with the builtin model: one client, each message is a new conversation
 * with one query.
 */
export async function measureChat(
  api: Api,
  teamId: string,
  { collection }: IndexedCorpus,
  queries: readonly CorpusQuery[],
  chats: number,
  signal: AbortSignal,
): Promise<LoadSummary> {
  const ask = (number: number) => {
    const message = `What do we know about ${queries[number % queries.length]?.text ?? ''}?`;
    return api.call('POST', `/api/v1/teams/${teamId}/chat`, { message, collections: [collection] });
  };
  for (let number = 0; number < WARM_UP; number += 1) await ask(number);
  const load = { clients: 1, durationMs: MAX_MS, maxRequests: chats, request: ask, signal };
  return summarize(await runClosedLoop(load));
}
