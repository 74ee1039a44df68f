import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Connector, JobStatus, SyncMode } from '@lectern/contracts';
import { prismaOptions } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import { PrismaClient } from '#gen/prisma/client';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

let system: TestSystem;
let connector: Connector;
beforeAll(async () => {
  system = await startSystem({ env: { MAX_FILE_BYTES: '200000', MAX_FILES_PER_UPLOAD: '5' } });
});
afterAll(() => system.stop());
beforeEach(async () => {
  connector = await system.client.createConnector(newCollection(system.collection.collections));
});

const upload = async (files: { path: string; content: string | Uint8Array }[], metadata?: Record<string, unknown>) => {
  const response = await system.client.upload(connector.id, files, metadata);
  return { ...response, job: await system.client.ended(connector.id, response.jobId) };
};
const list = async () => {
  const { client } = system;
  return client.files.listFiles({ connectorId: connector.id, page: { page: 1, limit: 100 } }, client.as());
};
const remove = (files: string[]) =>
  system.client.files.deleteFiles({ connectorId: connector.id, files }, system.client.as());
const blobs = async () => {
  const entries = await readdir(system.env.BLOB_DIR!, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
};

describe('a file', () => {
  it('replaces the file of its path and keeps both ids', async () => {
    const first = await upload([{ path: 'a.txt', content: 'one' }]);
    const second = await upload([{ path: 'a.txt', content: 'two, longer' }]);
    expect(second.files[0]).toMatchObject({
      id: first.files[0]!.id,
      documentId: first.files[0]!.documentId,
      sizeBytes: 11,
    });
    expect(second.files[0]!.checksum).not.toBe(first.files[0]!.checksum);
    expect(system.collection.live(connector.id)).toHaveLength(1);
    expect(system.collection.live(connector.id)[0]!.request!.content).toContain('two, longer');
    const { files, page } = await list();
    expect(page).toMatchObject({ total: 1, hasMore: false });
    expect(files[0]).toMatchObject({ status: 'indexed', sizeBytes: 11 });
  });

  it('fails alone with a helpful error if it is broken', async () => {
    const { job, files } = await upload([
      { path: 'good.md', content: '# Good' },
      { path: 'broken.pdf', content: '%PDF-1.7\nnot a PDF file' },
      { path: 'empty.txt', content: '' },
    ]);
    expect(job.status).toBe(JobStatus.COMPLETED_WITH_ERRORS);
    expect(job.progress).toMatchObject({ total: 3, collected: 3, parsed: 1, indexed: 1, failed: 2 });
    expect(job.errors.map((error) => error.path).sort()).toEqual(['broken.pdf', 'empty.txt']);
    const document = system.collection.documents.find(({ id }) => id === files[1]!.documentId);
    expect(document).toMatchObject({
      status: 'failed',
      error: { code: 'corrupt_file', message: expect.stringMatching(/\w{3}/) },
    });
    expect((await list()).files.map(({ path, status }) => [path, status])).toEqual([
      ['broken.pdf', 'failed'],
      ['empty.txt', 'failed'],
      ['good.md', 'indexed'],
    ]);
  });

  it('gets the metadata of the upload, even from the last part', async () => {
    const { client } = system;
    const { jobId } = await client.files.uploadFiles(
      (async function* () {
        yield { part: { $case: 'open', value: { connectorId: connector.id, metadata: { team: 'early' } } } } as const;
        yield { part: { $case: 'file', value: { path: 'a.txt', mimeType: '' } } } as const;
        yield { part: { $case: 'chunk', value: Buffer.from('text') } } as const;
        yield { part: { $case: 'metadata', value: { team: 'late', author: 'Ada' } } } as const;
        yield { part: { $case: 'end', value: {} } } as const;
      })(),
      client.as(),
    );
    await client.ended(connector.id, jobId);
    expect(system.collection.live(connector.id)[0]!.request!.metadata).toMatchObject({ team: 'late', author: 'Ada' });
  });

  it('is deleted by id or path with its document and bytes', async () => {
    const before = await blobs();
    const { files } = await upload([
      { path: 'a.txt', content: 'a' },
      { path: 'b.txt', content: 'b' },
      { path: 'c.txt', content: 'c' },
    ]);
    expect(await blobs()).toBe(before + 3);
    expect(await remove([files[0]!.id, 'b.txt', 'missing.txt'])).toEqual({
      deleted: [files[0]!.id, 'b.txt'],
      notFound: ['missing.txt'],
    });
    expect((await list()).files.map((file) => file.path)).toEqual(['c.txt']);
    expect(system.collection.live(connector.id).map((document) => document.externalId)).toEqual(['c.txt']);
    expect(await blobs()).toBe(before + 1);
    expect(await remove(['b.txt'])).toEqual({ deleted: [], notFound: ['b.txt'] });
  });

  it('is locked in the order of its source id when several are deleted', async () => {
    await upload([{ path: 'b.txt', content: 'b' }]);
    await upload([{ path: 'a.txt', content: 'a' }]);
    const options = prismaOptions({ url: system.database.url, schema: 'connector' });
    const db = new PrismaClient(options);
    const lock = (tx: Pick<PrismaClient, '$queryRaw'>, path: string) => tx.$queryRaw`
      SELECT id FROM files WHERE connector_id = ${connector.id} AND path = ${path} FOR UPDATE NOWAIT`;
    const removal = await db.$transaction(
      async (tx) => {
        await lock(tx, 'a.txt');
        const started = remove(['b.txt', 'a.txt']);
        const isWaiting = async () => {
          const waiting = await system.rows(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return waiting.length > 0;
        };
        await waitUntil(isWaiting, { what: 'the deletion to wait', timeoutMs: 10_000 });
        expect(await lock(tx, 'b.txt')).toHaveLength(1);
        return { started };
      },
      { timeout: 60_000 },
    );
    expect((await removal.started).deleted).toEqual(['b.txt', 'a.txt']);
    await db.$disconnect();
  });

  it('becomes a new document if it is uploaded again after its deletion', async () => {
    const first = await upload([{ path: 'a.txt', content: 'a' }]);
    await remove(['a.txt']);
    const second = await upload([{ path: 'a.txt', content: 'a' }]);
    expect(second.job.progress).toMatchObject({ total: 1, indexed: 1 });
    expect(second.files[0]!.documentId).not.toBe(first.files[0]!.documentId);
    expect(system.collection.live(connector.id)).toHaveLength(1);
  });

  it('is deleted immediately, and its document later if the collection service is down', async () => {
    await upload([{ path: 'a.txt', content: 'a' }]);
    await system.collection.stop();
    try {
      expect((await remove(['a.txt'])).deleted).toEqual(['a.txt']);
      expect((await list()).files).toEqual([]);
    } finally {
      await system.collection.start();
    }
    await waitUntil(async () => system.collection.live(connector.id).length === 0, {
      what: 'the document to be removed',
      timeoutMs: 20_000,
    });
  });
});

describe('a sync of uploaded files', () => {
  it('skips indexed files, repeats them in full mode, and indexes those named by path', async () => {
    await upload([
      { path: 'a.txt', content: 'a' },
      { path: 'b/c.txt', content: 'c' },
      { path: 'broken.pdf', content: '%PDF-1.7' },
    ]);
    const { client } = system;
    const run = async (mode: SyncMode, fileFilter: string[] = []) => {
      const { id } = await client.sync(connector.id, { mode, fileFilter });
      return (await client.ended(connector.id, id)).progress;
    };
    expect(await run(SyncMode.AUTO)).toMatchObject({ total: 3, skipped: 2, indexed: 0, failed: 1 });
    expect(await run(SyncMode.FULL)).toMatchObject({ total: 3, skipped: 0, indexed: 2, failed: 1 });
    expect(await run(SyncMode.INCREMENTAL, ['b/c.txt'])).toMatchObject({ total: 1, indexed: 1 });
    expect(await run(SyncMode.AUTO, ['b/c.txt'])).toMatchObject({ total: 1, skipped: 1 });
  });

  it('restores a deleted document only in full mode', async () => {
    await upload([{ path: 'a.txt', content: 'a' }]);
    const [document] = system.collection.live(connector.id);
    document!.status = 'deleted';
    const { client } = system;
    const auto = await client.sync(connector.id);
    expect((await client.ended(connector.id, auto.id)).progress).toMatchObject({ total: 1, skipped: 1 });
    expect(system.collection.live(connector.id)).toEqual([]);
    const full = await client.sync(connector.id, { mode: SyncMode.FULL });
    expect((await client.ended(connector.id, full.id)).progress).toMatchObject({ total: 1, indexed: 1 });
    expect(system.collection.live(connector.id)).toHaveLength(1);
  });
});

describe('an upload', () => {
  it.each([
    ['nothing', [], { code: 'invalid_request', details: { issues: [{ path: 'files' }] } }],
    [
      'a path outside the folder',
      [{ path: '../a.txt', content: 'a' }],
      { code: 'invalid_request', details: { issues: [{ path: 'files[0]' }] } },
    ],
    [
      'one path twice',
      [
        { path: 'a/é.txt', content: 'a' },
        { path: 'a/e\u0301.txt', content: 'b' },
      ],
      { code: 'invalid_request', details: { issues: [{ path: 'files[1]' }] } },
    ],
    [
      'a file that is too large',
      [
        { path: 'a.txt', content: 'a' },
        { path: 'big.txt', content: 'x'.repeat(200_001) },
      ],
      { code: 'payload_too_large', details: { file: 'big.txt', maxBytes: 200_000 } },
    ],
    [
      'too many files',
      Array.from({ length: 6 }, (_, n) => ({ path: `${n}.txt`, content: 'a' })),
      { code: 'payload_too_large', details: { file: '5.txt', maxFiles: 5 } },
    ],
  ])('is rejected completely with %s', async (_, files, error) => {
    const before = await blobs();
    await expect(system.client.upload(connector.id, files)).rejects.toMatchObject(error);
    expect((await list()).files).toEqual([]);
    expect(system.collection.live(connector.id)).toEqual([]);
    await waitUntil(async () => (await blobs()) === before, { what: 'the bytes to be removed', timeoutMs: 10_000 });
  });

  it('is rejected completely if it is interrupted', async () => {
    const before = await blobs();
    const { client } = system;
    const aborted = client.files.uploadFiles(
      (async function* () {
        yield { part: { $case: 'open', value: { connectorId: connector.id } } } as const;
        yield { part: { $case: 'file', value: { path: 'a.txt', mimeType: '' } } } as const;
        yield { part: { $case: 'chunk', value: Buffer.from('half of it') } } as const;
      })(),
      client.as(),
    );
    await expect(aborted).rejects.toMatchObject({ code: 'cancelled' });
    expect((await list()).files).toEqual([]);
    await waitUntil(async () => (await blobs()) === before, { what: 'the bytes to be removed', timeoutMs: 10_000 });
  });

  it('is rejected for a connector of another team', async () => {
    const { client } = system;
    const id = 'con_00000000000000000000000000';
    for (const connectorId of [id, 'nonsense']) {
      await expect(client.upload(connectorId, [{ path: 'a.txt', content: 'a' }])).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  it('is rejected completely while the collection service is down', async () => {
    const before = await blobs();
    await system.collection.stop();
    try {
      await expect(system.client.upload(connector.id, [{ path: 'a.txt', content: 'a' }])).rejects.toMatchObject({
        code: 'unavailable',
      });
    } finally {
      await system.collection.start();
    }
    expect((await list()).files).toEqual([]);
    await waitUntil(async () => (await blobs()) === before, { what: 'the bytes to be removed', timeoutMs: 10_000 });
  });
});
