import type { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Entries } from '#http/entries';
import { BATCH_SIZE, type BatchResult, type GraphHttp, type GraphRequest, pageOf } from '#microsoft-365/graph-http';
import { isUnreadable } from '#readers/reader-lists';
import { SourceError } from '#source-error';

/** Sends any number of requests in batches. Returns their results in order. */
export async function batched<T>(
  http: GraphHttp,
  call: ConnectorCall,
  requests: readonly GraphRequest[],
  schema: z.ZodType<T>,
  size: number = BATCH_SIZE,
): Promise<readonly BatchResult<T>[]> {
  const results: BatchResult<T>[] = [];
  for (let at = 0; at < requests.length; at += size) {
    results.push(...(await http.batch(call, requests.slice(at, at + size), schema)));
  }
  return results;
}

/** Reads lists in batches, and the further pages of each. */
export async function batchedLists<T>(
  http: GraphHttp,
  call: ConnectorCall,
  requests: readonly GraphRequest[],
  entry: z.ZodType<T>,
  size: number = BATCH_SIZE,
): Promise<readonly BatchResult<Entries<T>>[]> {
  const results: BatchResult<Entries<T>>[] = [];
  for (const [at, first] of (await batched(http, call, requests, pageOf(entry), size)).entries()) {
    if ('error' in first) {
      results.push(first);
      continue;
    }
    const items = [...first.value.value.items];
    const unreadable = [...first.value.value.unreadable];
    const from = requests[at] ?? { what: 'a list' };
    try {
      for await (const page of http.rest(call, first.value['@odata.nextLink'], from, entry)) {
        items.push(...page.items);
        unreadable.push(...page.unreadable);
      }
      results.push({ value: { items, unreadable } });
    } catch (error) {
      if (!(error instanceof SourceError) || !isUnreadable(error)) throw error;
      results.push({ error });
    }
  }
  return results;
}
