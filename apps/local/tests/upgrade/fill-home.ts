import type { Credentials } from '#credentials';
import { type Api, createApi, type Json } from '../support/api.ts';

/** Files of an upload connector: one for each parser. */
const FILES: Readonly<Record<string, string>> = {
  'heron.md': '# Heron\n\nThe heron project moves to Lisbon in May. Its budget is 45,000 euros.\n',
  'canteen.html':
    '<html><head><title>Canteen</title></head><body><p>Lunch is served from noon until two.</p></body></html>',
  'stock.csv': 'item,place,amount\nanvil,cellar,12\nlantern,attic,30\n',
  'oven.json': '{"device": "oven", "steps": ["preheat to 220 degrees", "bake for forty minutes"]}',
  'parking.txt': 'Visitors park behind the glasshouse. The gate opens at seven.\n',
  'invoice.eml':
    'From: ada@example.com\r\nTo: bob@example.com\r\nSubject: Invoice for the sundial\r\nDate: Mon, 02 Nov 2026 10:00:00 +0000\r\nContent-Type: text/plain\r\n\r\nThe sundial costs 812 euros and is paid within thirty days.\r\n',
};

const DOCUMENTS = [
  { title: 'Leave', content: 'Everyone has thirty days of paid leave a year.', externalId: 'leave' },
  {
    title: 'Laptops',
    content: 'Every laptop is encrypted. A lost laptop is reported to the security team within one hour.',
    metadata: { author: 'Ada', version: 3 },
    url: 'https://example.com/laptops',
  },
  { title: 'Ada’s plan', content: 'The pelican project moves to Porto in June.', principals: ['user:ada@example.com'] },
  { title: 'Removed', content: 'The walrus project was given up.' },
] as const;

/** A search for each mode, with the title of the document that contains the answer. */
const SEARCHES = [
  { query: 'paid leave', title: 'Leave' },
  { query: 'lost laptop security', title: 'Laptops' },
  { query: 'heron Lisbon budget', title: 'Heron' },
  { query: 'sundial invoice', title: 'Invoice for the sundial' },
] as const;

const MEMORIES = [
  { kind: 'preference', content: 'The user prefers short answers.', importance: 0.8 },
  { kind: 'fact', content: 'The user works in the Lisbon office.', metadata: { from: 'a call' } },
] as const;

/** A key of another pair, and its restrictions. */
interface KnownKey {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly status: 'active' | 'revoked';
  /** The response of GET /api/v1/key for the secret key of an active pair. */
  readonly own?: Json;
}

/** The contents of a data folder, as the API returned them when the folder was created. */
export interface Facts {
  readonly collections: Json[];
  readonly documents: Json[];
  readonly contents: Json[];
  readonly removedDocument: string;
  /** Document ids that an end user can and cannot read. */
  readonly readers: readonly { readonly user: string; readonly document: string; readonly status: number }[];
  readonly searches: readonly { readonly mode: string; readonly query: string; readonly document: string }[];
  readonly pairs: Json[];
  readonly keys: readonly KnownKey[];
  readonly agent: Json;
  readonly memories: Json[];
  readonly runs: Json[];
  readonly conversations: Json[];
  readonly connector: Json;
  readonly jobs: Json[];
  readonly files: Json[];
  /** Custom synonyms; undefined for versions without synonyms. */
  readonly synonyms?: Json[];
}

const indexed = (rows: readonly Json[]) => rows.every(({ status }) => status === 'indexed');

/** Fills an empty Lectern through its API and returns its contents. */
export async function fillHome(credentials: Credentials): Promise<Facts> {
  const api = createApi(credentials);
  const [handbook, plans] = [
    (await api.ok('POST', '/api/v1/collections', { name: 'Handbook', description: 'What everyone needs' })).id,
    (await api.ok('POST', '/api/v1/collections', { name: 'Plans' })).id,
  ];
  const ids: Record<string, string> = {};
  for (const [index, document] of DOCUMENTS.entries()) {
    const path = `/api/v1/collections/${index < 2 ? handbook : plans}/documents`;
    ids[document.title] = (await api.ok('POST', path, document)).id;
  }
  for (const collection of [handbook, plans]) await api.until(`/api/v1/collections/${collection}/documents`, indexed);
  const removedDocument = ids.Removed ?? '';
  await api.ok('DELETE', `/api/v1/documents/${removedDocument}`);

  const connector = await api.ok('POST', '/api/v1/connectors', { name: 'Files', type: 'upload', collection: handbook });
  const files = Object.entries(FILES).map(([name, bytes]) => ({ name, bytes }));
  const { jobId } = await api.upload(connector.id, files);
  const job = await api.endOfJob(connector.id, jobId);
  if (job.status !== 'completed' || job.failed > 0) throw new Error(`The sync job failed: ${JSON.stringify(job)}`);

  const agent = await api.ok('POST', '/api/v1/agents', {
    name: 'Helper',
    description: 'Answers questions about the handbook',
    systemPrompt: 'You help employees. Quote the handbook.',
    tools: ['search_documents', 'get_document', 'calculate'],
    collections: [handbook],
    startMessage: 'What would you like to know?',
    memory: 'recall',
  });
  for (const memory of MEMORIES) await api.ok('POST', `/api/v1/agents/${agent.id}/memories`, memory);
  for (const message of ['When is a lost laptop reported?', 'What is 17 * 23?'])
    await api.stream(`/api/v1/agents/${agent.id}/execute/stream`, { message });

  const chat = `/api/v1/teams/${api.teamId}/chat`;
  const reply = await api.ok('POST', chat, { message: 'How many days of paid leave are there?' });
  await api.ok('POST', chat, { message: 'When is lunch served?', conversationId: reply.conversationId });

  const synonym = { input: ['gadget'], terms: ['lost laptop'], collection: handbook };
  await api.ok('POST', '/api/v1/synonyms', synonym);
  await api.ok('PUT', '/api/v1/synonyms/packs/workplace-de', { enabled: false });

  const keys = await createKeys(api, credentials, handbook);
  return readFacts(api, {
    connector: connector.id,
    agent: agent.id,
    removedDocument,
    keys,
    readers: [
      { user: 'ada@example.com', document: ids['Ada’s plan'] ?? '', status: 200 },
      { user: 'bob@example.com', document: ids['Ada’s plan'] ?? '', status: 404 },
      { user: 'bob@example.com', document: ids.Leave ?? '', status: 200 },
    ],
  });
}

async function createKeys(api: Api, credentials: Credentials, collection: string): Promise<KnownKey[]> {
  const restricted = await api.ok('POST', '/api/v1/api-keys', {
    name: 'Website',
    allowed_collections: [collection],
    allowed_hosts: ['example.com'],
    rate_limit_per_minute: 600,
  });
  const revoked = await api.ok('POST', '/api/v1/api-keys', { name: 'Old laptop' });
  await api.ok('DELETE', `/api/v1/api-keys/${revoked.id}`);
  const own = (secretKey: string) => createApi({ ...credentials, secretKey }).ok('GET', '/api/v1/key');
  return [
    { ...keysOf(credentials), status: 'active', own: await own(credentials.secretKey) },
    { ...keysOf(restricted), status: 'active', own: await own(restricted.secretKey) },
    { ...keysOf(revoked), status: 'revoked' },
  ];
}

type Keys = Pick<KnownKey, 'secretKey' | 'publishableKey'>;

const keysOf = ({ secretKey, publishableKey }: Keys): Keys => ({ secretKey, publishableKey });

type Known = Pick<Facts, 'removedDocument' | 'keys' | 'readers'> & {
  readonly connector: string;
  readonly agent: string;
};

async function readFacts(api: Api, { connector, agent, ...known }: Known): Promise<Facts> {
  const collections = await api.all('/api/v1/collections');
  const lists = await Promise.all(collections.map(({ id }) => api.all(`/api/v1/collections/${id}/documents`)));
  const documents = lists.flat();
  const idOf = (title: string) => documents.find((document) => document.title === title)?.id;
  const conversations = await api.all(`/api/v1/teams/${api.teamId}/conversations`);
  const runs = await api.all(`/api/v1/agents/${agent}/runs`);
  const searches: { mode: string; query: string; document: string }[] = [];
  for (const mode of ['keyword', 'semantic', 'hybrid']) {
    for (const { query, title } of SEARCHES) {
      const { results } = await api.ok('POST', '/api/v1/search', { query, mode });
      if (results[0]?.documentId !== idOf(title))
        throw new Error(`The ${mode} search for "${query}" does not find "${title}" first: ${JSON.stringify(results)}`);
      searches.push({ mode, query, document: results[0].documentId });
    }
  }
  return {
    ...known,
    collections,
    documents,
    contents: await Promise.all(documents.map(({ id }) => api.ok('GET', `/api/v1/documents/${id}/content`))),
    searches,
    pairs: (await api.all('/api/v1/api-keys')).map(({ lastUsedAt: _, ...pair }) => pair),
    agent: await api.ok('GET', `/api/v1/agents/${agent}`),
    memories: await api.all(`/api/v1/agents/${agent}/memories`),
    runs: await Promise.all(runs.map(({ id }) => api.ok('GET', `/api/v1/agents/${agent}/runs/${id}`))),
    conversations: await Promise.all(
      conversations.map(({ id }) => api.ok('GET', `/api/v1/teams/${api.teamId}/conversations/${id}`)),
    ),
    connector: await api.ok('GET', `/api/v1/connectors/${connector}`),
    jobs: await api.all(`/api/v1/connectors/${connector}/sync`),
    files: await api.all(`/api/v1/connectors/${connector}/files`),
    synonyms: await api.all('/api/v1/synonyms?source=custom'),
  };
}
