import { waitUntil } from '@lectern/local-engines';
import { z } from 'zod';
import type { Corpus } from '#corpus/corpus';
import type { Api } from '#system/api';

/** The number of concurrent requests. */
const CONCURRENCY = 8;
const POLL_MS = 250;
const DEADLINE_MS = { fixed: 120_000, perDocument: 500 };

const record = z.object({ data: z.object({ id: z.string() }) });
const page = z.object({ meta: z.object({ total: z.number() }) });
const stats = z.object({ data: z.object({ embeddingCount: z.number() }) });

/** The time to create a corpus with `POST /collections/{id}/documents`. */
export interface PostedDocuments {
  readonly collection: string;
  readonly passages: number;
  /** Until the last response. */
  readonly sentMs: number;
  /** Until all documents are indexed. */
  readonly indexedMs: number;
}

/**
 * Creates the documents of a corpus in a new collection and waits until all of them are indexed.
 * Throws if one failed.
 */
export async function postDocuments(api: Api, corpus: Corpus, signal: AbortSignal): Promise<PostedDocuments> {
  const { id: collection } = record.parse(await api.call('POST', '/api/v1/collections', { name: corpus.name })).data;
  const path = `/api/v1/collections/${collection}/documents`;
  const started = performance.now();
  const waiting = corpus.documents.values();
  const worker = async () => {
    for (const { id, title, text } of waiting) {
      signal.throwIfAborted();
      await api.call('POST', path, { title, content: text, externalId: id });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const sentMs = performance.now() - started;
  const inStatus = async (status: string) =>
    page.parse(await api.call('GET', `${path}?limit=1&status=${status}`)).meta.total;
  const hasEnded = async () => {
    const failed = await inStatus('failed');
    if (failed > 0) throw new Error(`${failed} of ${corpus.documents.length} documents could not be indexed.`);
    return (await inStatus('indexed')) >= corpus.documents.length;
  };
  const timeoutMs = DEADLINE_MS.fixed + corpus.documents.length * DEADLINE_MS.perDocument;
  await waitUntil(hasEnded, { what: 'the documents to be indexed', timeoutMs, intervalMs: POLL_MS, signal });
  const indexedMs = performance.now() - started;
  const { embeddingCount } = stats.parse(
    await api.call('POST', `/api/v1/collections/${collection}/refresh-stats`),
  ).data;
  return { collection, passages: embeddingCount, sentMs, indexedMs };
}
