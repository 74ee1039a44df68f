import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { createParserPool, type ParserPool } from '@lectern/documents';
import { waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const SCANS = ['scan-1.png', 'scan-2.png', 'scan-3.png'];
const recognized = Promise.withResolvers<void>();
let pool: ParserPool;
let system: TestSystem;
beforeAll(async () => {
  pool = createParserPool({ size: 1, timeoutMs: 60_000 });
  // Scans take as long as the test wants. packages/documents tests the recognition itself.
  const parser: ParserPool = {
    ...pool,
    parse: async (input, options) => {
      if (!SCANS.includes(input.fileName)) return pool.parse(input, options);
      options?.onRecognize?.();
      await recognized.promise;
      options?.onPage?.();
      const page = (number: number, confidence: number) => ({
        page: number,
        confidence,
        words: [{ text: 'pump', confidence, box: [0.1, 0.1, 0.2, 0.2] as const }],
      });
      return {
        text: 'The pump is checked every week.',
        metadata: { mimeType: 'image/tiff', pages: 3 },
        recognition: { confidence: 70, pages: [page(1, 90), page(2, 50)], unreadPages: [3] },
      };
    },
  };
  // One slot: without parking, the first scan would block everything.
  system = await startSystem({
    overrides: { parser },
    env: { SYNC_CONCURRENCY: '1', SYNC_CONNECTOR_CONCURRENCY: '1' },
  });
});
afterAll(async () => {
  await system.stop();
  await pool.close();
});

describe('a scan', () => {
  it('does not delay other files of its connector, and reports its confidence', async () => {
    const { client, collection } = system;
    const connector = await client.createConnector(newCollection(collection.collections));
    const notes = Array.from({ length: 12 }, (_, at) => ({ path: `note-${at}.txt`, content: `Note ${at}` }));
    const scans = SCANS.map((path) => ({ path, content: 'a picture' }));
    const { jobId } = await client.upload(connector.id, [...scans, ...notes]);
    const indexed = () => collection.live(connector.id).filter(({ status }) => status === 'indexed');
    await waitUntil(() => indexed().length === notes.length, { what: 'the notes to be indexed', timeoutMs: 30_000 });
    expect(indexed().map(({ request }) => request?.content)).toEqual(
      expect.arrayContaining(notes.map(({ content }) => content)),
    );
    recognized.resolve();
    expect((await client.ended(connector.id, jobId)).status).toBe(JobStatus.COMPLETED);
    const scan = indexed().find(({ externalId }) => externalId === SCANS[0]);
    expect(scan?.request).toMatchObject({
      type: 'image',
      metadata: { ocr: { confidence: 70, pages: 2, lowConfidencePages: [2], unreadPages: [3] } },
    });
  });
});
