import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DocumentStatus } from '@lectern/contracts';
import { callAs, createCaller, inOrder, type ProviderServer, startEmbeddingsServer, waitUntil } from '@lectern/testing';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const caller = createCaller();
let provider: ProviderServer;
let service: TestCollection;
let collectionId: string;

const section = (at: number) => `## Section ${at}\n\n${`More words about subject ${at}. `.repeat(40)}`;
const text = (...sections: number[]) => sections.map(section).join('\n\n');
const textsSent = () => provider.requests.flatMap(({ body }) => body.input as string[]);

/** Sends a document's content, waits until it is indexed, and returns its record. */
async function index(content: string) {
  const request = { collectionId, externalId: 'guide', title: 'Guide', content };
  const { id } = await service.documents.createDocument(request, callAs(caller));
  const current = () => service.documents.getDocument({ id }, callAs(caller));
  await waitUntil(async () => (await current()).status === DocumentStatus.INDEXED, {
    what: `${id} to be indexed`,
    timeoutMs: 20_000,
  });
  return current();
}

beforeAll(async () => {
  provider = await startEmbeddingsServer({ form: 'openai', model: 'small', maxTexts: 32 });
  service = await startTestCollection(
    {},
    { EMBEDDING_PROVIDER: 'openai', EMBEDDING_MODEL: 'small', EMBEDDING_BASE_URL: `${provider.origin}/v1` },
  );
  const collection = await service.collections.createCollection({ name: 'Guides' }, callAs(caller));
  collectionId = collection.id;
});

afterAll(async () => {
  await service.stop();
  await provider.stop();
});

beforeEach(() => provider.reset());

describe("a collection of a provider's model", () => {
  it('is created with the configured model or a named builtin one, and with no other', async () => {
    const create = (embeddingModel?: string) =>
      service.collections.createCollection({ name: 'Any', embeddingModel }, callAs(caller));
    expect(await create()).toMatchObject({ embeddingModel: 'openai/small' });
    expect(await create('small')).toMatchObject({ embeddingModel: 'openai/small' });
    expect(await create('builtin-hash-512')).toMatchObject({ embeddingModel: 'builtin-hash-512' });
    await expect(create('large')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('embeds only the new passages of a document', async () => {
    provider.reset(inOrder({ kind: 'status', status: 429, retryAfter: '0' }));
    const first = await index(text(1, 2, 3));
    expect(first.chunkCount).toBeGreaterThanOrEqual(3);
    provider.reset();
    const second = await index(text(0, 1, 2, 3));
    expect(second.chunkCount).toBeGreaterThan(first.chunkCount);
    expect(textsSent().length).toBe(second.chunkCount - first.chunkCount);
    expect(textsSent().every((sent) => sent.includes('subject 0'))).toBe(true);
  });

  it('is indexed when the provider has recovered', async () => {
    provider.reset(inOrder({ kind: 'wrong_dimensions' }));
    const { status } = await index(text(7, 8));
    expect(status).toBe(DocumentStatus.INDEXED);
    expect(provider.requests.length).toBeGreaterThan(1);
  });
});
