import type { S3Server } from '@lectern/testing';
import { z } from 'zod';
import { readStream } from '#chat/read-stream';
import type { Corpus, CorpusDocument } from '#corpus/corpus';
import { uploadBatch } from '#ingest/upload-batch';
import { waitForJob } from '#ingest/wait-for-job';
import type { SteadyWork } from '#load/open-loop';
import { MARKS } from '#soak/model';
import { runJob } from '#sync/run-job';
import { connectS3, reportKey, reportText } from '#sync/s3-source';
import type { Api } from '#system/api';

/**
 * The number of uploaded files, of documents edited in turn, of reports in the bucket, and of
 * reports that change before a sync.
 */
const FILES = 40;
const EDITED = 60;
const REPORTS = 200;
const CHANGED = 5;
const JOB_TIMEOUT_MS = 120_000;

const createdSchema = z.object({ data: z.object({ id: z.string() }) });
const id = async (answer: Promise<unknown>) => createdSchema.parse(await answer).data.id;

/** The resources of the workload. */
export interface SoakedSystem {
  readonly api: Api;
  readonly teamId: string;
  /** The collection of the corpus. */
  readonly collection: string;
  readonly corpus: Corpus;
  readonly source: S3Server;
  readonly signal: AbortSignal;
}

/**
 * An office workload with a constant amount of data: conversations are deleted after they were
 * read, a file is deleted for each one that is uploaded, and edits and syncs replace content.
 */
export async function createSteadyWork(system: SoakedSystem): Promise<readonly SteadyWork[]> {
  const { api, collection, corpus, source, signal } = system;
  const connector = await id(api.call('POST', '/api/v1/connectors', { name: 'Files', type: 'upload', collection }));
  const agent = await id(
    api.call('POST', '/api/v1/agents', {
      name: 'Reader',
      systemPrompt: 'Look it up, then answer.',
      tools: ['search_documents', 'get_document'],
      collections: [collection],
    }),
  );
  for (let index = 0; index < REPORTS; index += 1) source.put(reportKey(index), reportText(index, 0));
  const reports = await connectS3(api, source);

  const counters = new Map<string, number>();
  const count = (name: string) => {
    const number = counters.get(name) ?? 0;
    counters.set(name, number + 1);
    return number;
  };
  const query = () => corpus.queries[count('query') % corpus.queries.length]?.text ?? '';
  const document = (number: number): CorpusDocument => {
    const found = corpus.documents[number % corpus.documents.length];
    if (found === undefined) throw new Error('The corpus is empty.');
    return found;
  };

  const search = async () => {
    await api.call('POST', '/api/v1/search', { query: query(), collections: [collection], limit: 10 });
  };
  const converse = async (path: string, marks: { readonly content: string; readonly end: string }) => {
    const body = { message: `What do we know about ${query()}?` };
    const { text } = await readStream(`${api.baseUrl}${path}`, {
      body,
      key: api.secretKey,
      marks: marks.content,
      signal,
    });
    if (!text.includes(marks.end)) throw new Error(`The stream ended early: ${text.slice(-300)}`);
    const [, conversation] = /"conversationId":"(\w+)"/.exec(text) ?? [];
    await api.call('DELETE', `/api/v1/teams/${system.teamId}/conversations/${conversation}`);
  };
  const upload = async () => {
    const number = count('upload');
    const file = { ...document(number), id: `file-${number}` };
    const { jobId: job } = await uploadBatch(api, connector, [file], signal);
    await waitForJob(api, { connector, job, timeoutMs: JOB_TIMEOUT_MS, signal });
    if (number < FILES) return;
    await api.call('DELETE', `/api/v1/connectors/${connector}/files`, { files: [`file-${number - FILES}.md`] });
  };
  const edit = async () => {
    const number = count('edit');
    const { title, text } = document(number);
    const body = { title, content: `${text}\n\nRevision ${number}.`, externalId: `edited-${number % EDITED}` };
    await api.call('POST', `/api/v1/collections/${collection}/documents`, body);
  };
  /** A connector runs one sync at a time, so the next one waits. */
  let syncing = Promise.resolve();
  const sync = () => {
    const own = syncing.then(syncOnce);
    syncing = own.catch(() => undefined);
    return own;
  };
  const syncOnce = async () => {
    const number = count('sync');
    for (let at = 0; at < CHANGED; at += 1) {
      const index = (number * CHANGED + at) % REPORTS;
      source.put(reportKey(index), reportText(index, number + 1));
    }
    source.forget();
    const { job } = await runJob(api, reports, () => undefined, signal);
    if (job.status !== 'completed') throw new Error(`The sync ended as ${job.status}.`);
  };
  const chat = () => converse(`/api/v1/teams/${system.teamId}/chat/stream`, MARKS.chat);
  const run = () => converse(`/api/v1/agents/${agent}/execute/stream`, MARKS.run);
  return [
    { name: 'search', perSecond: 4, run: search },
    { name: 'chat stream', perSecond: 1, run: chat },
    { name: 'agent run', perSecond: 0.5, run },
    { name: 'upload and delete', perSecond: 0.2, run: upload },
    { name: 'edit', perSecond: 0.3, run: edit },
    { name: 'sync', perSecond: 1 / 30, run: sync },
  ];
}
