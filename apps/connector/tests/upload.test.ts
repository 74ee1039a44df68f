import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

describe('uploaded files', () => {
  it('become documents of the collection', async () => {
    const { client, collection } = system;
    const connector = await client.createConnector(newCollection(collection.collections));
    const { files, jobId } = await client.upload(
      connector.id,
      [
        { path: 'guide.md', content: '# Guide\n\nHow to begin.' },
        { path: 'notes/today.txt', content: 'Nothing happened.' },
      ],
      { department: 'People' },
    );
    expect(files.map(({ path, name, mimeType, status }) => ({ path, name, mimeType, status }))).toEqual([
      { path: 'guide.md', name: 'guide.md', mimeType: 'text/markdown', status: 'pending' },
      { path: 'notes/today.txt', name: 'today.txt', mimeType: 'text/plain', status: 'pending' },
    ]);
    const job = await client.ended(connector.id, jobId);
    expect(job.status).toBe(JobStatus.COMPLETED);
    expect(job.progress).toEqual({ total: 2, collected: 2, parsed: 2, indexed: 2, skipped: 0, deleted: 0, failed: 0 });
    expect(collection.live(connector.id)[0]).toMatchObject({
      id: files[0]!.documentId,
      status: 'indexed',
      source: 'upload',
      request: {
        title: 'Guide',
        type: 'markdown',
        principals: ['public'],
        metadata: { department: 'People', fileName: 'guide.md', mimeType: 'text/markdown', sizeBytes: 22 },
      },
    });
  });
});
