import { waitUntil } from '@lectern/local-engines';
import { z } from 'zod';
import { createSyntheticCorpus } from '#corpus/synthetic';
import type { Fixtures } from '#fuzz-http/generate-request';
import { type Api, createApi } from '#system/api';
import type { Lectern } from '#system/lectern';

/** The number of records of each kind that requests can delete. */
const EXPENDABLE = 4;
const INDEX_TIMEOUT_MS = 300_000;

const record = z.object({ data: z.looseObject({ id: z.string() }) });
const page = z.object({ meta: z.object({ total: z.number() }) });
const pair = z.object({ data: z.object({ id: z.string(), publishableKey: z.string(), secretKey: z.string() }) });
const reply = z.object({ data: z.object({ conversationId: z.string() }) });
const created = z.object({ documents: z.array(z.string()), collection: z.string() });

async function createRecord(api: Api, path: string, body: object): Promise<string> {
  return record.parse(await api.call('POST', path, body)).data.id;
}

/**
 * Creates a collection whose documents differ in every filterable field. Some are long or contain
 * unusual text.
 */
async function createDocuments(api: Api, count: number, signal: AbortSignal): Promise<z.output<typeof created>> {
  const collection = await createRecord(api, '/api/v1/collections', { name: 'Fuzzed' });
  const path = `/api/v1/collections/${collection}/documents`;
  const { documents } = createSyntheticCorpus({ documents: count, queries: 0 });
  const odd = [
    'a '.repeat(20_000),
    'x'.repeat(20_000),
    '产假'.repeat(5_000),
    'e\u0301.'.repeat(5_000),
    '"a" -b '.repeat(3_000),
  ];
  const bodies = [
    ...documents.map(({ id, title, text }, at) => ({
      title,
      content: text,
      externalId: id,
      metadata: { author: `Author ${at % 17}`, team: `t${at % 40}`, rank: at, tags: [`g${at % 5}`, `g${at % 7}`] },
    })),
    ...odd.map((content, at) => ({ title: `Odd ${at}`, content, externalId: `odd${at}` })),
  ];
  const ids: string[] = [];
  for (const body of bodies) {
    signal.throwIfAborted();
    ids.push(await createRecord(api, path, body));
  }
  const total = async () => page.parse(await api.call('GET', `${path}?limit=1&status=indexed`)).meta.total;
  await waitUntil(async () => (await total()) >= bodies.length, {
    what: 'the documents to be indexed',
    timeoutMs: INDEX_TIMEOUT_MS,
    signal,
  });
  return { documents: ids, collection };
}

/** Creates sample records of every kind that requests can refer to. */
export async function createFixtures(lectern: Lectern, documentCount: number, signal: AbortSignal): Promise<Fixtures> {
  const api = createApi(lectern);
  try {
    const { collection, documents } = await createDocuments(api, documentCount, signal);
    const times = (make: (at: number) => Promise<string>): Promise<string[]> =>
      Promise.all(Array.from({ length: EXPENDABLE + 1 }, (_, at) => make(at)));
    const collections = await times((at) => createRecord(api, '/api/v1/collections', { name: `Other ${at}` }));
    const agents = await times((at) =>
      createRecord(api, '/api/v1/agents', {
        name: `Agent ${at}`,
        systemPrompt: 'Answer from the documents.',
        tools: ['search_documents', 'get_document', 'calculate'],
        collections: [collection],
      }),
    );
    const connectors = await times((at) =>
      createRecord(api, '/api/v1/connectors', { name: `Files ${at}`, type: 'upload', collection }),
    );
    const [agent = ''] = agents;
    const memories = await times((at) =>
      createRecord(api, `/api/v1/agents/${agent}/memories`, { content: `Fact ${at}` }),
    );
    const conversations = await times(async () => {
      const answer = await api.call('POST', `/api/v1/teams/${lectern.teamId}/chat`, { message: 'What is the policy?' });
      return reply.parse(answer).data.conversationId;
    });
    const pairs = await times(
      async (at) => pair.parse(await api.call('POST', '/api/v1/api-keys', { name: `Pair ${at}` })).data.id,
    );
    const own = pair.parse(await api.call('POST', '/api/v1/api-keys', { name: 'Fuzzer' })).data;
    const scoped = pair.parse(
      await api.call('POST', '/api/v1/api-keys', { name: 'Scoped', allowed_collections: [collection] }),
    ).data;
    const first = (all: readonly string[]) => all.slice(0, 1);
    const rest = (all: readonly string[]) => all.slice(1);
    return {
      teamId: lectern.teamId,
      secretKey: lectern.secretKey,
      publishableKey: own.publishableKey,
      scopedKey: scoped.secretKey,
      preserved: {
        col: [collection, ...first(collections)],
        doc: documents.slice(0, -EXPENDABLE),
        agent: first(agents),
        con: first(connectors),
        mem: first(memories),
        conv: first(conversations),
        key: [own.id],
      },
      expendable: {
        col: rest(collections),
        doc: documents.slice(-EXPENDABLE),
        agent: rest(agents),
        con: rest(connectors),
        mem: rest(memories),
        conv: rest(conversations),
        key: pairs,
      },
    };
  } finally {
    api.close();
  }
}
