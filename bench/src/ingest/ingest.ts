import { z } from 'zod';
import type { Corpus } from '#corpus/corpus';
import { uploadBatch } from '#ingest/upload-batch';
import { waitForJob } from '#ingest/wait-for-job';
import type { Api } from '#system/api';

/** Documents per upload request. */
const BATCH = 250;
/** The timeout of the jobs: a fixed part plus a part for each document. */
const DEADLINE_MS = { fixed: 120_000, perDocument: 500 };

const created = z.object({ data: z.object({ id: z.string() }) });
const record = z.object({ data: z.object({ embeddingModel: z.string() }) });
const stats = z.object({ data: z.object({ documentCount: z.number(), embeddingCount: z.number() }) });

/** An indexed corpus. */
export interface IndexedCorpus {
  readonly collection: string;
  readonly embeddingModel: string;
  /** The id in the corpus of each document, by Lectern's id. */
  readonly corpusIds: ReadonlyMap<string, string>;
  readonly documents: number;
  readonly passages: number;
  /** From the start of the first upload to its last response. */
  readonly uploadMs: number;
  /** From the first upload's start to the end of the last job. */
  readonly indexedMs: number;
}

/**
 * Uploads a corpus into a new collection and waits until it is indexed. Throws if a document was
 * not indexed.
 */
export async function ingest(api: Api, corpus: Corpus, signal: AbortSignal): Promise<IndexedCorpus> {
  const { id: collection } = created.parse(await api.call('POST', '/api/v1/collections', { name: corpus.name })).data;
  const connectorBody = { name: corpus.name, type: 'upload', collection };
  const { id: connector } = created.parse(await api.call('POST', '/api/v1/connectors', connectorBody)).data;

  const corpusIds = new Map<string, string>();
  const jobs = new Set<string>();
  const started = performance.now();
  for (let at = 0; at < corpus.documents.length; at += BATCH) {
    signal.throwIfAborted();
    const uploaded = await uploadBatch(api, connector, corpus.documents.slice(at, at + BATCH), signal);
    for (const [lecternId, corpusId] of uploaded.corpusIds) corpusIds.set(lecternId, corpusId);
    jobs.add(uploaded.jobId);
  }
  const uploadMs = performance.now() - started;
  const timeoutMs = DEADLINE_MS.fixed + corpus.documents.length * DEADLINE_MS.perDocument;
  for (const job of jobs) await waitForJob(api, { connector, job, timeoutMs, signal });
  const indexedMs = performance.now() - started;

  const path = `/api/v1/collections/${collection}`;
  const { embeddingModel } = record.parse(await api.call('GET', path)).data;
  const counted = stats.parse(await api.call('POST', `${path}/refresh-stats`)).data;
  if (counted.documentCount !== corpus.documents.length) {
    throw new Error(
      `${corpus.documents.length} documents were uploaded, but the collection has ${counted.documentCount}.`,
    );
  }
  const documents = counted.documentCount;
  return { collection, embeddingModel, corpusIds, documents, passages: counted.embeddingCount, uploadMs, indexedMs };
}
