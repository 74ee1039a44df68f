import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isId } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN, WHEN_TEXT } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
});

const PAGE = { page: 1, limit: 20, total: 1, hasMore: false };
const lastCall = (method: string) => gateway.services.calls.findLast((call) => call.method === method);

describe('collections', () => {
  const item = {
    id: KNOWN.collection,
    name: 'Handbook',
    description: 'How we work',
    documentCount: 3,
    failedCount: 1,
    embeddingModel: 'builtin',
    createdAt: WHEN_TEXT,
  };
  const record = { ...item, embeddingCount: 12, updatedAt: WHEN_TEXT };

  it('are listed with paging', async () => {
    const { json } = await gateway.send('GET', '/api/v1/collections?page=2&limit=5');
    expect(json.data).toEqual([item]);
    expect(json.meta).toMatchObject(PAGE);
    expect(lastCall('listCollections')?.request).toMatchObject({ page: { page: 2, limit: 5 } });
  });

  it('are returned with the ids of their connectors', async () => {
    const { json } = await gateway.send('GET', `/api/v1/collections/${KNOWN.collection}`);
    expect(json.data).toEqual({ ...record, connectors: [KNOWN.connector] });
    expect(lastCall('listConnectors')?.request).toMatchObject({ collectionId: KNOWN.collection });
  });

  it('can be created, updated, counted and deleted', async () => {
    const body = { name: ' Handbook ', description: 'How we work', embeddingModel: 'builtin' };
    const created = await gateway.send('POST', '/api/v1/collections', { json: body });
    expect(created.json.data).toEqual({ ...record, connectors: [] });
    expect(lastCall('createCollection')?.request).toMatchObject({ ...body, name: 'Handbook' });
    const path = `/api/v1/collections/${KNOWN.collection}`;
    const changed = await gateway.send('PUT', path, { json: { description: '' } });
    expect(changed.json.data).toEqual({ ...record, connectors: [KNOWN.connector] });
    expect(lastCall('updateCollection')?.request).toMatchObject({ description: '', name: undefined });
    const stats = await gateway.send('POST', `${path}/refresh-stats`);
    expect(stats.json.data).toEqual({ documentCount: 3, embeddingCount: 12, storageBytes: 5e9, lastSync: WHEN_TEXT });
    const deleted = await gateway.send('DELETE', path);
    expect(deleted.json.data).toEqual({ id: KNOWN.collection, deleted: true });
  });
});

describe('documents', () => {
  const metadata = { author: 'Ada', pages: 2, url: 'https://example.com/leave' };

  it('are created from text', async () => {
    const body = {
      title: 'Leave',
      content: 'Thirty days.',
      metadata: { author: 'Ada', tags: ['hr', null, { deep: 1.5 }] },
    };
    const { json } = await gateway.send('POST', `/api/v1/collections/${KNOWN.collection}/documents`, { json: body });
    expect(json.data).toEqual({
      id: KNOWN.document,
      title: 'Leave',
      status: 'indexed',
      error: null,
      collection: KNOWN.collection,
      collectionName: 'Handbook',
      source: 'upload',
      type: 'pdf',
      connector: KNOWN.connector,
      externalId: 'leave.pdf',
      url: 'https://example.com/leave',
      metadata,
      chunkCount: 4,
      sizeBytes: 900,
      createdAt: WHEN_TEXT,
      updatedAt: WHEN_TEXT,
      indexedAt: WHEN_TEXT,
      principals: ['public'],
    });
    // Without principals, a new document is public and a replaced one keeps its own.
    expect(lastCall('createDocument')?.request).toMatchObject({ ...body, principals: [] });
  });

  it('are created in a batch, in which an invalid one fails alone', async () => {
    const valid = { title: 'Leave', content: 'Thirty days.', externalId: 'leave' };
    const documents = [valid, { title: 5, externalId: 'travel' }, 'text', { ...valid, content: '\0' }];
    const path = `/api/v1/collections/${KNOWN.collection}/documents/batch`;
    const { status, json } = await gateway.send('POST', path, { json: { documents } });
    expect(status).toBe(200);
    const failed = (externalId: string | null, ...issues: readonly (readonly [string, string])[]) => ({
      status: 'failed',
      id: null,
      externalId,
      error: {
        code: 'invalid_request',
        message: issues.map(([path, message]) => `${path}: ${message}`).join('; '),
        details: { issues: issues.map(([path, message]) => ({ path, message })) },
      },
    });
    expect(json.data).toEqual({
      created: 1,
      updated: 0,
      failed: 3,
      results: [
        { status: 'created', id: KNOWN.document, externalId: 'leave', error: null },
        failed('travel', ['title', 'must be a string'], ['content', 'is required']),
        failed(null, ['document', 'must be an object']),
        failed('leave', ['content', 'must not contain the character U+0000']),
      ],
    });
    expect(lastCall('createDocuments')?.request).toMatchObject({ documents: [{ ...valid, principals: [] }] });
  });

  it('get ids in a batch that depend on its Idempotency-Key', async () => {
    const documents = Array.from({ length: 100 }, (_, at) => ({ title: `${at}`, content: `Page ${at}` }));
    const path = `/api/v1/collections/${KNOWN.collection}/documents/batch`;
    const send = () => gateway.send('POST', path, { json: { documents }, headers: { 'Idempotency-Key': 'batch' } });
    gateway.services.failWith = new AppError('unavailable', 'The database cannot be reached. Try again shortly.');
    expect((await send()).status).toBe(503);
    const idsSent = () => Object(lastCall('createDocuments')?.request).documents.map(({ id }: { id: string }) => id);
    const ids = idsSent();
    gateway.services.failWith = undefined;
    gateway.services.calls.length = 0;
    expect((await send()).json.data.created).toBe(100);
    expect(idsSent()).toEqual(ids);
    expect(new Set(ids).size).toBe(100);
    expect(ids.every((id: string) => isId('document', id))).toBe(true);
    expect((await send()).headers.get('idempotent-replayed')).toBe('true');
  });

  it('accept metadata of the maximum depth', async () => {
    const metadata = JSON.parse(`${'{"a":'.repeat(18)}[1]${'}'.repeat(18)}`);
    const json = { title: 'Leave', content: 'Thirty days.', metadata };
    const { status } = await gateway.send('POST', `/api/v1/collections/${KNOWN.collection}/documents`, { json });
    expect(status).toBe(201);
    expect(lastCall('createDocument')?.request).toMatchObject({ metadata });
  });

  it('can be filtered by status', async () => {
    await gateway.send('GET', `/api/v1/collections/${KNOWN.collection}/documents?status=failed`);
    expect(lastCall('listDocuments')?.request).toMatchObject({ collectionId: KNOWN.collection, status: 4 });
    await gateway.send('GET', `/api/v1/connectors/${KNOWN.connector}/documents`);
    expect(lastCall('listDocuments')?.request).toMatchObject({ connectorId: KNOWN.connector, status: undefined });
  });

  it('return their content with the name of their collection, and their summary', async () => {
    const content = await gateway.send('GET', `/api/v1/documents/${KNOWN.document}/content`);
    expect(content.json.data).toEqual({
      id: KNOWN.document,
      title: 'Leave',
      content: 'Text',
      status: 'indexed',
      collection: 'Handbook',
      source: 'upload',
      metadata,
    });
    const summary = await gateway.send('GET', `/api/v1/documents/${KNOWN.document}/summary`);
    expect(summary.json.data).toEqual({ id: KNOWN.document, title: 'Leave', summary: 'Sum', metadata });
  });

  it('are not found under another connector', async () => {
    const path = `/api/v1/connectors/con_01h455vb4pex5vsknk084sn0zz/documents/${KNOWN.document}`;
    const { status, json } = await gateway.send('GET', path);
    expect(status).toBe(404);
    expect(json.error.details).toEqual({ resource: 'document', id: KNOWN.document });
  });
});

describe('connectors', () => {
  it('are returned with their collection and without credentials', async () => {
    const body = {
      name: 'Files',
      type: 's3',
      collection: KNOWN.collection,
      config: { bucket: 'b' },
      credentials: { accessKeyId: 'a' },
    };
    const { json } = await gateway.send('POST', '/api/v1/connectors', { json: body });
    expect(json.data).toEqual({
      id: KNOWN.connector,
      name: 'Files',
      type: 'upload',
      status: 'active',
      statusReason: null,
      collection: KNOWN.collection,
      config: { syncEveryMinutes: 0 },
      lastSync: null,
      createdAt: WHEN_TEXT,
      updatedAt: WHEN_TEXT,
    });
    const { collection, ...rest } = body;
    expect(lastCall('createConnector')?.request).toMatchObject({ ...rest, collectionId: collection });
  });

  it('keep their documents on deletion only if keepDocuments is true', async () => {
    await gateway.send('DELETE', `/api/v1/connectors/${KNOWN.connector}`);
    expect(lastCall('deleteConnector')?.request).toMatchObject({ keepDocuments: false });
    await gateway.send('DELETE', `/api/v1/connectors/${KNOWN.connector}?keepDocuments=true`);
    expect(lastCall('deleteConnector')?.request).toMatchObject({ keepDocuments: true });
  });

  it('sync in the requested mode, with or without a body', async () => {
    const path = `/api/v1/connectors/${KNOWN.connector}/sync`;
    const { json, headers } = await gateway.send('POST', path);
    expect(json.data).toEqual({
      jobId: KNOWN.job,
      connectorId: KNOWN.connector,
      kind: 'sync',
      mode: 'auto',
      status: 'running',
      progress: { total: 5, collected: 4, parsed: 3, indexed: 2, skipped: 1, deleted: 0, failed: 1 },
      errors: [{ path: 'a.pdf', code: 'encrypted', message: 'The file is encrypted.' }],
      startedAt: WHEN_TEXT,
      completedAt: null,
    });
    expect(headers.get('deprecation')).toBeNull();
    await gateway.send('POST', path, { json: { sync_mode: 'incremental', file_filter: ['a.pdf'] } });
    expect(lastCall('startSync')?.request).toMatchObject({ mode: 3, fileFilter: ['a.pdf'], confirmDeletions: false });
  });

  it('treat force_full_sync as full mode, and mark it as deprecated', async () => {
    const path = `/api/v1/connectors/${KNOWN.connector}/sync`;
    const { headers } = await gateway.send('POST', path, { json: { force_full_sync: true } });
    expect(lastCall('startSync')?.request).toMatchObject({ mode: 2 });
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
  });

  it('list and delete files', async () => {
    const list = await gateway.send('GET', `/api/v1/connectors/${KNOWN.connector}/files`);
    const file = {
      id: KNOWN.file,
      name: 'leave.pdf',
      path: 'hr/leave.pdf',
      size: 900,
      mimeType: 'application/pdf',
      checksum: 'sha256:00',
      documentId: KNOWN.document,
      status: 'indexed',
      updatedAt: WHEN_TEXT,
    };
    expect(list.json.data).toEqual([file]);
    const json = { files: ['hr/leave.pdf', 'gone'] };
    const deleted = await gateway.send('DELETE', `/api/v1/connectors/${KNOWN.connector}/files`, { json });
    expect(deleted.json.data).toEqual({ deleted: [KNOWN.file], notFound: ['gone'] });
  });
});
