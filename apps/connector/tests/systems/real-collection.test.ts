import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CollectionServiceDefinition,
  type Document,
  DocumentServiceDefinition,
  DocumentStatus,
  JobStatus,
} from '@lectern/contracts';
import { connectGrpc, type GrpcConnection } from '@lectern/service-kit';
import {
  createCaller,
  startTestService,
  type TestDatabase,
  type TestNats,
  type TestQdrant,
  type TestService,
  temporaryFolder,
  testDatabase,
  testNats,
  testQdrant,
  waitUntil,
} from '@lectern/testing';
import { type ConnectorClient, createConnectorClient } from '../support/connector-client.ts';

const COUNT = 120;
const paths = Array.from({ length: COUNT }, (_, n) => `handbook/page-${String(n).padStart(3, '0')}.md`);

let database: TestDatabase;
let nats: TestNats;
let qdrant: TestQdrant;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let collection: TestService;
let connector: TestService;
let connection: GrpcConnection;
let client: ConnectorClient;

beforeAll(async () => {
  [database, nats, qdrant, folder] = await Promise.all([testDatabase(), testNats(), testQdrant(), temporaryFolder()]);
  const engines = { DATABASE_URL: database.url, NATS_URL: nats.url, LOG_LEVEL: 'error' };
  collection = await startTestService('collection', { ...engines, QDRANT_URL: qdrant.url });
  connector = await startTestService('connector', {
    ...engines,
    COLLECTION_ADDRESS: collection.address,
    BLOB_DIR: folder.path,
    SWEEP_INTERVAL_MS: '500',
    WORK_LEASE_MS: '10000',
  });
  connection = connectGrpc(collection.address);
  client = createConnectorClient(connector.address, createCaller());
});
afterAll(async () => {
  client.close();
  connection.close();
  await connector.stop();
  await collection.stop();
  await Promise.all([nats.stop(), qdrant.stop(), database.drop(), folder.remove()]);
});

const createCollection = () =>
  connection.client(CollectionServiceDefinition).createCollection({ name: 'Handbook' }, client.as());

async function listDocuments(connectorId: string): Promise<Document[]> {
  const documents: Document[] = [];
  for (let page = 1; ; page += 1) {
    const response = await connection
      .client(DocumentServiceDefinition)
      .listDocuments({ connectorId, page: { page, limit: 100 } }, client.as());
    documents.push(...response.documents);
    if (!response.page?.hasMore) return documents;
  }
}

/** Counts the points in all collections of the vector store. */
async function countPoints(): Promise<number> {
  const request = async (path: string, body?: object): Promise<unknown> => {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return (await fetch(`${qdrant.url}${path}`, init)).json();
  };
  const { result } = (await request('/collections')) as { result: { collections: { name: string }[] } };
  const counts = await Promise.all(
    result.collections.map(
      ({ name }) =>
        request(`/collections/${name}/points/count`, { exact: true }) as Promise<{ result: { count: number } }>,
    ),
  );
  return counts.reduce((sum, { result: { count } }) => sum + count, 0);
}

const indexedOf = async (connectorId: string, jobId: string): Promise<number> =>
  client.job(connectorId, jobId).then(
    (job) => job.progress?.indexed ?? 0,
    () => 0,
  );

describe('with the real collection service', () => {
  it('ends a sync with exact counts and no duplicate passages even if every process is killed once', async () => {
    const { id: collectionId } = await createCollection();
    const { id } = await client.createConnector(collectionId);
    const files = paths.map((path, n) => ({
      path,
      content: `# Page ${n}\n\nRule ${n} of the handbook.\n\n## More\n\nSee rule ${n + 1}.`,
    }));
    const { jobId } = await client.upload(id, files);
    const untilIndexed = (count: number) =>
      waitUntil(async () => (await indexedOf(id, jobId)) >= count, { what: `${count} indexed`, timeoutMs: 60_000 });

    await untilIndexed(15);
    await collection.kill();
    await collection.restart();
    await untilIndexed(40);
    await connector.kill();
    await connector.restart();
    await untilIndexed(65);
    await nats.kill();
    await nats.restart({ wipe: true });

    const job = await client.ended(id, jobId);
    expect(job).toMatchObject({
      status: JobStatus.COMPLETED,
      errors: [],
      progress: { total: COUNT, collected: COUNT, parsed: COUNT, indexed: COUNT, skipped: 0, deleted: 0, failed: 0 },
    });
    const documents = await listDocuments(id);
    expect(documents.map((document) => document.externalId).sort()).toEqual(paths);
    expect(documents.every((document) => document.status === DocumentStatus.INDEXED)).toBe(true);
    const passages = documents.reduce((sum, document) => sum + document.chunkCount, 0);
    await waitUntil(async () => (await countPoints()) === passages, {
      what: 'one point per passage',
      timeoutMs: 30_000,
    });
  });

  it('marks the document of a broken file as failed with the reason', async () => {
    const { id: collectionId } = await createCollection();
    const { id } = await client.createConnector(collectionId);
    const { files, jobId } = await client.upload(id, [
      { path: 'good.txt', content: 'Good.' },
      { path: 'broken.docx', content: 'PK\u0003\u0004 nothing' },
    ]);
    const job = await client.ended(id, jobId);
    expect(job).toMatchObject({
      status: JobStatus.COMPLETED_WITH_ERRORS,
      progress: { total: 2, indexed: 1, failed: 1 },
    });
    const documents = await listDocuments(id);
    const failed = documents.find((document) => document.status === DocumentStatus.FAILED);
    expect(failed).toMatchObject({
      id: files[1]!.documentId,
      error: { code: job.errors[0]!.code, message: job.errors[0]!.message },
    });
  });

  it('cancels a sync whose collection is deleted', async () => {
    const { id: collectionId } = await createCollection();
    const { id } = await client.createConnector(collectionId);
    const files = paths.map((path, n) => ({ path, content: `Rule ${n}.` }));
    const { jobId } = await client.upload(id, files);
    await waitUntil(async () => (await indexedOf(id, jobId)) >= 5, { what: 'the first items', timeoutMs: 30_000 });
    await connection.client(CollectionServiceDefinition).deleteCollection({ id: collectionId }, client.as());
    expect((await client.ended(id, jobId)).status).toBe(JobStatus.CANCELLED);
    const { status, statusReason } = await client.connectors.getConnector({ id }, client.as());
    expect({ status, statusReason }).toMatchObject({ statusReason: 'The collection of this connector was deleted.' });
  });
});
