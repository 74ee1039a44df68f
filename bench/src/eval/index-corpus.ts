import { waitUntil } from '@lectern/local-engines';
import { z } from 'zod';
import type { CorpusDocument } from '#corpus/corpus';
import type { Api } from '#system/api';

/**
 * The number of concurrent requests: enough to keep the services busy, but no timeouts on a small
 * machine.
 */
const CONCURRENCY = 8;
const POLL_MS = 500;
const DEADLINE_MS = { fixed: 120_000, perDocument: 1_000 };

const record = z.object({ data: z.object({ id: z.string() }) });
const page = z.object({
  data: z.array(z.object({ externalId: z.string().nullable(), error: z.object({ message: z.string() }).nullable() })),
  meta: z.object({ total: z.number() }),
});

/** An indexed corpus. */
export interface EvalCollection {
  readonly id: string;
  /** The id in the corpus of each document, by Lectern's id. */
  readonly corpusIds: ReadonlyMap<string, string>;
  readonly indexedMs: number;
}

/**
 * Creates a collection with every document (`externalId` is the id in the corpus) and waits until
 * all are indexed. If one fails, deletes the collection and throws.
 */
export async function indexCorpus(
  api: Api,
  name: string,
  documents: readonly CorpusDocument[],
  signal: AbortSignal,
): Promise<EvalCollection> {
  const started = performance.now();
  const { id } = record.parse(await api.call('POST', '/api/v1/collections', { name: `eval ${name}` })).data;
  try {
    const corpusIds = await createDocuments(api, id, documents, signal);
    await untilIndexed(api, id, documents.length, signal);
    return { id, corpusIds, indexedMs: performance.now() - started };
  } catch (error) {
    await removeCollection(api, id).catch(() => undefined);
    throw error;
  }
}

/** Deletes the collection of `indexCorpus`. */
export async function removeCollection(api: Api, id: string): Promise<void> {
  await api.call('DELETE', `/api/v1/collections/${id}`);
}

async function createDocuments(
  api: Api,
  collection: string,
  documents: readonly CorpusDocument[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const corpusIds = new Map<string, string>();
  const path = `/api/v1/collections/${collection}/documents`;
  const waiting = documents.values();
  async function worker(): Promise<void> {
    for (const document of waiting) {
      signal.throwIfAborted();
      const { id } = record.parse(await api.call('POST', path, documentBody(document))).data;
      corpusIds.set(id, document.id);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return corpusIds;
}

/**
 * Lectern requires a title and a text: uses the id instead of a missing title, and the title
 * instead of a missing text.
 */
function documentBody({ id, title, text }: CorpusDocument) {
  return {
    title: title.trim() === '' ? id : title.trim().slice(0, 1_000),
    content: text.trim() === '' ? title : text,
    externalId: id,
  };
}

async function untilIndexed(api: Api, collection: string, documents: number, signal: AbortSignal): Promise<void> {
  const inStatus = async (status: string) =>
    page.parse(await api.call('GET', `/api/v1/collections/${collection}/documents?limit=1&status=${status}`));
  const hasEnded = async () => {
    const { data, meta } = await inStatus('failed');
    if (meta.total > 0) {
      const [first] = data;
      const why = `${first?.externalId ?? 'a document'}: ${first?.error?.message ?? 'no reason was given'}`;
      throw new Error(`${meta.total} of ${documents} documents could not be indexed. The first: ${why}`);
    }
    return (await inStatus('indexed')).meta.total >= documents;
  };
  const timeoutMs = DEADLINE_MS.fixed + documents * DEADLINE_MS.perDocument;
  await waitUntil(hasEnded, { what: 'the documents to be indexed', timeoutMs, intervalMs: POLL_MS, signal });
}
