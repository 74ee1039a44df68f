import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import type { Json } from './support/api.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';
import { storedPassages } from './support/stored-passages.ts';

const DOCUMENTS = 500;
const PARAGRAPHS = 6;
const DEADLINE_MS = 300_000;
/** The processes to kill, by the number of indexed documents. */
const KILLS = [
  { at: 40, parts: ['connector'] },
  { at: 120, parts: ['collection'] },
  { at: 200, parts: ['nats-server'] },
  { at: 280, parts: ['connector', 'collection', 'nats-server'] },
  { at: 360, parts: ['qdrant-local'] },
  { at: 420, parts: ['PostgreSQL'] },
];
const WORDS = 'river stone market window garden letter morning bridge paper winter harbor engine silver forest'.split(
  ' ',
);

let lectern: Lectern;
let connectorId: string;
let job: Json;
let documents: Json[];

/** Returns a word that only one document contains. */
const wordOf = (index: number) => `q${createHash('sha256').update(String(index)).digest('hex').slice(0, 12)}`;

/** Returns a text with several passages. */
function textOf(index: number): string {
  const paragraphs = Array.from({ length: PARAGRAPHS }, (_, paragraph) => {
    const words = Array.from({ length: 90 }, (_, at) => WORDS[(index * 7 + paragraph * 5 + at * at) % WORDS.length]);
    return `## Part ${paragraph + 1}\n\n${words.join(' ')}.`;
  });
  return `# Report ${index}\n\nThe word of this report is ${wordOf(index)}.\n\n${paragraphs.join('\n\n')}\n`;
}

describe('a sync of 500 documents during which processes are killed', () => {
  beforeAll(async () => {
    lectern = await startLectern();
    const { api } = lectern;
    const collection = await api.ok('POST', '/api/v1/collections', { name: 'Reports' });
    const connector = { name: 'Reports', type: 'upload', collection: collection.id };
    connectorId = (await api.ok('POST', '/api/v1/connectors', connector)).id;
  });

  afterAll(() => lectern?.stop());

  it('ends once, with exact counts', async () => {
    const files = Array.from({ length: DOCUMENTS }, (_, index) => ({
      name: `report-${index}.md`,
      bytes: textOf(index),
    }));
    const { jobId } = await lectern.api.upload(connectorId, files);
    const path = `/api/v1/connectors/${connectorId}/sync/${jobId}`;
    const started = performance.now();
    for (const { at, parts } of KILLS) {
      // While a process is down, the gateway can return 503.
      const isReached = async () =>
        ((await lectern.api.ok('GET', path).catch(() => undefined))?.progress.indexed ?? 0) >= at;
      await waitUntil(isReached, { what: `${at} documents`, timeoutMs: DEADLINE_MS, intervalMs: 50 });
      for (const part of parts) await lectern.home.killPart(part);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      process.stdout.write(`${seconds} s: killed ${parts.join(', ')} at ${at} or more documents\n`);
    }
    job = await lectern.api.endOfJob(connectorId, jobId);
    process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s: ${JSON.stringify(job)}\n`);
    expect(job).toMatchObject({
      status: 'completed',
      progress: { total: DOCUMENTS, indexed: DOCUMENTS, skipped: 0, deleted: 0, failed: 0 },
      errors: [],
    });
    expect(await lectern.api.all(`/api/v1/connectors/${connectorId}/sync`)).toHaveLength(1);
  });

  it('leaves 500 indexed documents', async () => {
    documents = await lectern.api.all(`/api/v1/connectors/${connectorId}/documents`);
    expect(new Set(documents.map(({ externalId }) => externalId)).size).toBe(DOCUMENTS);
    expect(documents.map(({ status }) => status)).toEqual(Array.from({ length: DOCUMENTS }, () => 'indexed'));
  });

  it('stores each passage once in the vector store', async () => {
    const { qdrantUrl, qdrantApiKey } = await lectern.home.state();
    const passages = await storedPassages(qdrantUrl ?? 'none', qdrantApiKey);
    const versions = new Set(passages.map(({ document, version }) => `${document} ${version}`));
    const chunks = new Set(passages.map(({ document, chunk }) => `${document} ${chunk}`));
    expect(versions.size).toBe(DOCUMENTS);
    expect(passages).toHaveLength(chunks.size);
    for (const { id, chunkCount } of documents) {
      expect(chunkCount).toBeGreaterThan(1);
      expect(passages.filter(({ document }) => document === id)).toHaveLength(chunkCount);
    }
  });

  it('finds each document by its unique word', async () => {
    for (let index = 0; index < DOCUMENTS; index += 1) {
      const query = { query: wordOf(index), mode: 'keyword', limit: 5 };
      const { results } = await lectern.api.ok('POST', '/api/v1/search', query);
      expect(results[0]?.title).toBe(`Report ${index}`);
    }
  });
});
