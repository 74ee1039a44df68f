import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from './support/api.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

let lectern: SharedLectern;
let secretKey: string;
/** The secret key of another team. */
let otherTeamKey: string;
beforeAll(async () => {
  lectern = await shareLectern();
  secretKey = lectern.credentials.secretKey;
  otherTeamKey = (await lectern.createTeam()).secretKey;
}, 240_000);

interface Sent {
  readonly status: number;
  readonly etag: string | null;
  readonly headers: Headers;
  readonly data: Json;
  readonly error: Json;
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  { headers = {}, key = secretKey }: RequestOptions = {},
): Promise<Sent> {
  const answer = await fetch(`${lectern.baseUrl}/api/v1${path}`, {
    method,
    headers: { 'X-Service-Key': key, 'Content-Type': 'application/json', 'Cache-Control': 'max-age=0', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const { data, error } = text === '' ? ({} as Json) : (JSON.parse(text) as Json);
  return { status: answer.status, etag: answer.headers.get('etag'), headers: answer.headers, data, error };
}

const ifMatch = (tag: string): RequestOptions => ({ headers: { 'If-Match': tag } });

async function create(path: string, body: unknown): Promise<Json> {
  const answer = await send('POST', path, body);
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.error)}`);
  return answer.data;
}

const newCollection = async (): Promise<string> => (await create('/collections', { name: 'Handbook' })).id;

const words = fc.string({ unit: fc.constantFrom('a', 'Ü', ' ', '7', '"', '\n', '🙂', '\\'), maxLength: 40 });
const name = words.map((text) => `N${text.trim()}`);
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const optional = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });
const freeJson = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'b', 'ö', '.', ' ') }),
  fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 3 })),
  { maxKeys: 4, noNullPrototype: true },
);
const future = fc
  .integer({ min: 1, max: 1_000 })
  .map((days) => new Date(Date.now() + days * 86_400_000 + (days % 999)).toISOString());

/** A resource with PUT: how to create it, where it is, and what can be changed. */
interface Resource {
  readonly make: () => Promise<{ readonly path: string }>;
  readonly changes: fc.Arbitrary<Readonly<Record<string, unknown>>>;
  /** A field and a new value for it, different at each call. */
  readonly change: (n: number) => Readonly<Record<string, unknown>>;
  /** Values of read-only fields that no record has. */
  readonly readOnly: Readonly<Record<string, unknown>>;
}

const CREDENTIALS = { accessKeyId: 'AKIA', secretAccessKey: 'secret' };

const RESOURCES: Readonly<Record<string, Resource>> = {
  collections: {
    make: async () => ({ path: `/collections/${await newCollection()}` }),
    changes: optional({ name, description: orNull(words) }),
    change: (n) => ({ name: `Name ${n}` }),
    readOnly: { id: 'col_x', documentCount: 5, embeddingCount: 7, connectors: ['con_x'], createdAt: '2020-01-01' },
  },
  agents: {
    make: async () => {
      const { id } = await create('/agents', {
        name: 'A',
        systemPrompt: 'Help.',
        collections: [await newCollection()],
      });
      return { path: `/agents/${id}` };
    },
    changes: optional({
      name,
      description: orNull(words),
      systemPrompt: name,
      startMessage: orNull(words),
      memory: fc.constantFrom('off', 'recall', 'auto'),
      tools: fc.uniqueArray(fc.constantFrom('calculate', 'get_datetime', 'search_documents')),
    }),
    change: (n) => ({ systemPrompt: `Prompt ${n}` }),
    readOnly: { id: 'agt_x', createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2020-01-01T00:00:00.000Z' },
  },
  memories: {
    make: async () => {
      const { id: agent } = await create('/agents', { name: 'A', systemPrompt: 'Help.' });
      const { id } = await create(`/agents/${agent}/memories`, { content: 'The user prefers short answers.' });
      return { path: `/agents/${agent}/memories/${id}` };
    },
    changes: optional({
      kind: fc.constantFrom('fact', 'preference', 'insight', 'procedure'),
      content: name,
      metadata: freeJson,
      source: fc.constantFrom(null, { conversationId: null }),
      importance: fc.constantFrom(0, 0.25, 1),
      expiresAt: orNull(future),
    }),
    change: (n) => ({ content: `Fact ${n}` }),
    readOnly: { id: 'mem_x', agentId: 'agt_x', createdAt: '2020-01-01', proposed: true },
  },
  'api-keys': {
    make: async () => ({ path: `/api-keys/${(await create('/api-keys', { name: 'K' })).id}` }),
    changes: optional({
      name,
      allow_all_collections: fc.boolean(),
      allowed_hosts: fc.uniqueArray(fc.constantFrom('Example.com', '*.example.org', 'localhost:3000')),
      allowed_referers: fc.uniqueArray(fc.constantFrom('https://example.com/docs')),
      require_signature: fc.boolean(),
      rate_limit_per_minute: orNull(fc.integer({ min: 1, max: 1_000_000 })),
      expires_at: orNull(future),
    }),
    change: (n) => ({ name: `Key ${n}` }),
    readOnly: { id: 'key_x', secretKeyPrefix: 'x', revokedAt: '2020-01-01T00:00:00.000Z', createdAt: null },
  },
  connectors: {
    make: async () => {
      const collection = await newCollection();
      const config = { bucket: 'reports', syncEveryMinutes: 0 };
      const body = { name: 'C', type: 's3', collection, config, credentials: CREDENTIALS };
      return { path: `/connectors/${(await create('/connectors', body)).id}` };
    },
    changes: optional({
      name,
      config: optional({
        prefix: orNull(fc.constantFrom('2026/', 'ä b/')),
        region: fc.constantFrom('eu-central-1', 'us-east-1'),
      }),
    }),
    change: (n) => ({ config: { prefix: `${n}/` } }),
    readOnly: {
      id: 'con_x',
      type: 'upload',
      status: 'paused',
      collection: 'col_x',
      lastSync: '2020-01-01',
      createdAt: 1,
    },
  },
};

const TABLE = Object.entries(RESOURCES);
const withoutTime = ({ updatedAt: _, ...rest }: Json): Json => rest;

describe.each(TABLE)('a record of %s', (_name, { make, changes, change, readOnly }) => {
  it('is accepted unchanged after it was read, regardless of earlier changes', async () => {
    const { path } = await make();
    const property = fc.asyncProperty(changes, async (body) => {
      const written = await send('PUT', path, body);
      expect({ status: written.status, error: written.error }).toEqual({ status: 200, error: undefined });
      const read = await send('GET', path);
      expect({ etag: written.etag, data: written.data }).toEqual({ etag: read.etag, data: read.data });
      const again = await send('PUT', path, read.data);
      expect({ status: again.status, error: again.error }).toEqual({ status: 200, error: undefined });
      expect(withoutTime(again.data)).toEqual(withoutTime(read.data));
      expect(again.etag?.split('.')[0]).toBe(read.etag?.split('.')[0]);
      for (const [field, value] of Object.entries(body)) if (value === null) expect(read.data).toHaveProperty(field);
    });
    await fc.assert(property, { numRuns: 25 });
  });

  it('rejects changed read-only fields by name, and unknown fields', async () => {
    const { path } = await make();
    const { data } = await send('GET', path);
    for (const [field, value] of Object.entries(readOnly)) {
      const rejected = await send('PUT', path, { ...data, ...change(1), [field]: value });
      expect({ field, status: rejected.status }).toEqual({ field, status: 400 });
      expect(rejected.error.details.issues.map(({ path: at }: Json) => at)).toEqual([field]);
    }
    const unknown = await send('PUT', path, { ...data, nonsense: 1 });
    expect(unknown.error?.details.issues).toContainEqual({ path: 'nonsense', message: 'is not a known field' });
    expect((await send('GET', path)).data).toEqual(data);
  });

  it('is changed by exactly one of several concurrent readers', async () => {
    const { path } = await make();
    const { etag, data } = await send('GET', path);
    const attempts = Array.from({ length: 12 }, (_value, n) =>
      send('PUT', path, n % 2 === 0 ? change(n) : { ...data, ...change(n) }, ifMatch(String(etag))),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(11).fill(412)]);
    const after = await send('GET', path);
    expect(after.etag).not.toBe(etag);
    const late = await send('PUT', path, change(99), ifMatch(String(etag)));
    expect({ status: late.status, code: late.error?.code }).toEqual({ status: 412, code: 'precondition_failed' });
    expect((await send('GET', path)).data).toEqual(after.data);
  });

  it('loses no update of clients that read, change and retry', async () => {
    const { path } = await make();
    const written: Json[] = [];
    const client = async (n: number): Promise<void> => {
      for (;;) {
        const { etag } = await send('GET', path);
        const answer = await send('PUT', path, change(1_000 + n), ifMatch(String(etag)));
        if (answer.status === 200) return void written.push(answer.data);
        expect(answer.status).toBe(412);
      }
    };
    await Promise.all([1, 2, 3, 4, 5].map(client));
    expect(written).toHaveLength(5);
  });

  it('accepts * and lists, but no weak, foreign or malformed tags', async () => {
    const { path } = await make();
    const etag = String((await send('GET', path)).etag);
    expect(etag).toMatch(/^"[\w-]+\.[\w-]+"$/);
    const statusOf = async (tag: string) => (await send('PUT', path, {}, ifMatch(tag))).status;
    for (const tag of ['*', ' * ', etag, `"other", ${etag}`, `W/"x" ,,${etag},`, `${etag},${etag}`]) {
      expect({ tag, status: await statusOf(tag) }).toEqual({ tag, status: 200 });
    }
    for (const tag of [`W/${etag}`, '"other"', '""', `"${'x'.repeat(33)}"`, 'W/"a", "b"', etag.replace(/^"./, '"')]) {
      expect({ tag, status: await statusOf(tag) }).toEqual({ tag, status: 412 });
    }
    for (const tag of [etag.slice(1, -1), 'x', '"a" "b"', '"a', 'w/"a"', '*, "a"', `${etag};`, '', ',']) {
      const rejected = await send('PUT', path, {}, ifMatch(tag));
      expect({ tag, status: rejected.status }).toEqual({ tag, status: 400 });
      expect(rejected.error.details.issues[0].path).toBe('If-Match');
    }
  });

  it('is not sent again to a client that has it', async () => {
    const { path } = await make();
    const { etag } = await send('GET', path);
    const read = (tag: string, method = 'GET') => send(method, path, undefined, { headers: { 'If-None-Match': tag } });
    for (const tag of [`${etag}`, `W/${etag}`, `"x", ${etag}`, '*']) {
      expect({ tag, ...(await read(tag)) }).toMatchObject({ tag, status: 304, etag, data: undefined });
    }
    expect((await read(`${etag}`, 'HEAD')).status).toBe(304);
    for (const tag of ['"x"', 'nonsense', ''])
      expect({ tag, status: (await read(tag)).status }).toEqual({ tag, status: 200 });
    await send('PUT', path, change(5));
    expect((await read(`${etag}`)).status).toBe(200);
  });

  it('is deleted by exactly one of several readers, and not by one that read it before a change', async () => {
    const { path } = await make();
    const old = String((await send('GET', path)).etag);
    await send('PUT', path, change(7));
    expect((await send('DELETE', path, undefined, ifMatch(old))).status).toBe(412);
    const { etag } = await send('GET', path);
    const attempts = Array.from({ length: 6 }, () => send('DELETE', path, undefined, ifMatch(String(etag))));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1)) expect([404, 409, 412]).toContain(status);
  });

  it('reveals nothing about its tags to a key without access', async () => {
    const { path } = await make();
    const { data } = await send('GET', path);
    const pair = await create('/api-keys', { name: 'scoped', allow_all_collections: false });
    for (const tag of ['"x"', '*', String((await send('GET', path)).etag)]) {
      const scoped = { key: pair.secretKey, ...ifMatch(tag) };
      // Every key can read an agent without collections.
      if (!path.includes('/memories/')) {
        expect((await send('PUT', path, { ...data, id: 'x' }, scoped)).status).toBe(403);
        expect((await send('DELETE', path, undefined, scoped)).status).toBe(403);
        expect((await send('GET', path, undefined, { key: pair.secretKey })).etag).toBeNull();
      }
    }
    const foreign = { key: otherTeamKey, ...ifMatch('"x"') };
    expect((await send('PUT', path, { ...data, ...change(1) }, foreign)).status).toBe(404);
    expect((await send('DELETE', path, undefined, foreign)).status).toBe(404);
    const unknown = path.replace(/.{6}$/, '0zzzzz');
    for (const tag of ['"x"', '*']) expect((await send('PUT', unknown, change(1), ifMatch(tag))).status).toBe(404);
  });
});

describe('an ETag', () => {
  it('changes when a document of its collection is counted, which does not block a rename', async () => {
    const id = await newCollection();
    const path = `/collections/${id}`;
    const before = await send('GET', path);
    const document = await create(`${path}/documents`, { title: 'Leave', content: 'Thirty days of leave.' });
    await lectern.api.until(`/api/v1/documents/${document.id}`, ({ status }) => status === 'indexed');
    const since = { headers: { 'If-None-Match': String(before.etag) } };
    expect(await send('GET', path, undefined, since)).toMatchObject({ status: 200, data: { documentCount: 1 } });
    // The counters in the record belong to the tag.
    const whole = { ...before.data, name: 'Renamed' };
    expect((await send('PUT', path, whole)).error?.details.issues.map((issue: Json) => issue.path)).toContain(
      'documentCount',
    );
    const renamed = await send('PUT', path, whole, ifMatch(String(before.etag)));
    expect(renamed).toMatchObject({ status: 200, data: { name: 'Renamed', documentCount: 1 } });
    const forged = { ...before.data, name: 'Forged', documentCount: 7 };
    expect((await send('PUT', path, forged, ifMatch(String(renamed.etag)))).status).toBe(400);
    expect((await send('PUT', path, whole, ifMatch(String(before.etag)))).status).toBe(412);
  });

  it('protects the deletion of a document against a changed text, not against indexing', async () => {
    const collection = await newCollection();
    const newDocument = { title: 'Leave', content: 'Thirty days of leave.', externalId: 'leave' };
    const created = await send('POST', `/collections/${collection}/documents`, newDocument);
    const path = `/documents/${created.data.id}`;
    await lectern.api.until(`/api/v1${path}`, ({ status }) => status === 'indexed');
    const read = await send('GET', path);
    expect(read.etag?.split('.')[0]).toBe(created.etag?.split('.')[0]);
    await create(`/collections/${collection}/documents`, { ...newDocument, content: 'Thirty-one days of leave.' });
    expect((await send('DELETE', path, undefined, ifMatch(String(read.etag)))).status).toBe(412);
    await lectern.api.until(`/api/v1${path}`, ({ status }) => status === 'indexed');
    const { etag } = await send('GET', path);
    expect((await send('DELETE', path, undefined, ifMatch(String(etag)))).status).toBe(200);
    expect((await send('DELETE', path, undefined, ifMatch(String(etag)))).status).toBe(404);
  });

  it('changes with the credentials of its connector, which stay unchanged when a record is sent back', async () => {
    const { path } = await RESOURCES.connectors!.make();
    const { etag, data } = await send('GET', path);
    expect(JSON.stringify(data)).not.toContain('secret');
    const credentials = (n: number) => ({ credentials: { ...CREDENTIALS, secretAccessKey: `new ${n}` } });
    const attempts = [1, 2, 3].map((n) => send('PUT', path, credentials(n), ifMatch(String(etag))));
    expect((await Promise.all(attempts)).map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    const after = await send('GET', path);
    expect((await send('PUT', path, after.data)).etag?.split('.')[0]).toBe(after.etag?.split('.')[0]);
  });

  it('can be read and sent by pages of other origins', async () => {
    const answer = await fetch(`${lectern.baseUrl}/api/v1/collections`, { method: 'OPTIONS' });
    expect(answer.headers.get('access-control-allow-headers')).toContain('If-Match');
    expect(answer.headers.get('access-control-expose-headers')).toContain('ETag');
  });
});

describe('a record of a connector', () => {
  const DAYS = { from: '2026-01-01' };
  const UUID = '72f988bf-86f1-41af-91ab-2d7cd011db47';
  it.each([
    ['s3', { bucket: 'b-b' }, CREDENTIALS],
    ['google_drive', {}, undefined],
    ['gmail', { labels: ' Clients ', since: '2026-01-01', query: ' is:starred ' }, undefined],
    ['notion', { principals: ['public'] }, undefined],
    ['upload', {}, undefined],
    ['confluence', { instanceUrl: 'https://x.example', spaceKeys: ' DOCS ' }, { token: 't' }],
    ['jira', { baseUrl: 'https://x.example', projects: ' docs ', jql: ' status = Open ' }, { token: 't' }],
    [
      'microsoft_365',
      { sites: 'https://x.sharepoint.com/sites/a ', oneDrives: 'Ada@X.example', cloud: 'global' },
      { tenantId: UUID, clientId: UUID, clientSecret: 's' },
    ],
    ['github', { repos: 'https://github.com/o/r.git.git', pathFilter: 'docs' }, { token: 't' }],
    ['gitlab', { projects: 'https://gitlab.com/g/p.git', include: 'wiki', archived: true }, { token: 't' }],
    ['imap', { host: 'mail', folders: 'INBOX', since: '2026-01-01' }, { user: 'a@x.example', password: 'p' }],
    ['slack', { channels: '#general', dateRange: DAYS }, { token: 'xoxb-1' }],
    [
      'salesforce',
      { objects: 'Account', soqlFilter: '' },
      { accessToken: 't', instanceUrl: 'https://x.my.salesforce.com' },
    ],
    ['web', { startUrls: 'https://x.example/docs', include: 'docs' }, undefined],
    ['postgresql', { host: 'db', database: 'd', port: '5433' }, { user: 'u', password: 'p' }],
  ])('is accepted unchanged for type %s', async (type, config, credentials) => {
    const collection = await newCollection();
    const body = { name: 'C', type, collection, config, ...(credentials ? { credentials } : {}) };
    const path = `/connectors/${(await create('/connectors', body)).id}`;
    const read = await send('GET', path);
    const again = await send('PUT', path, read.data);
    expect({ status: again.status, error: again.error }).toEqual({ status: 200, error: undefined });
    expect(withoutTime(again.data)).toEqual(withoutTime(read.data));
    const renamed = await send('PUT', path, { ...again.data, name: 'D' });
    expect(renamed).toMatchObject({ status: 200, data: { name: 'D', config: read.data.config } });
  });
});

describe('a record of a key pair', () => {
  it('is accepted unchanged from the pair itself, and after it has expired', async () => {
    const own = await create('/api-keys', { name: 'Own' });
    const path = `/api-keys/${own.id}`;
    const { data } = await send('GET', path, undefined, { key: own.secretKey });
    expect((await send('PUT', path, data, { key: own.secretKey })).status).toBe(200);
    expect((await send('PUT', path, { ...data, lastUsedAt: '2999-01-01T00:00:00.000Z' })).status).toBe(400);

    const soon = await create('/api-keys', { name: 'Soon', expires_at: new Date(Date.now() + 1_500).toISOString() });
    const hasExpired = async () =>
      (await send('GET', '/key', undefined, { key: soon.secretKey })).error?.code === 'key_expired';
    while (!(await hasExpired()));
    const expired = await send('GET', `/api-keys/${soon.id}`);
    expect((await send('PUT', `/api-keys/${soon.id}`, { ...expired.data, name: 'Late' })).status).toBe(200);
  });
});

describe('an agent that names a deleted collection', () => {
  it('can be saved, and finds nothing if all its collections are deleted', async () => {
    const [deleted, existing] = [await newCollection(), await newCollection()];
    const text = { title: 'Vault', content: 'The vault code is xylophone.' };
    const { id } = await create(`/collections/${existing}/documents`, text);
    await lectern.api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
    const fields = { name: 'A', systemPrompt: 'Help.', tools: ['search_documents'] };
    const agents = [
      await create('/agents', { ...fields, collections: [deleted] }),
      await create('/agents', { ...fields, collections: [deleted, existing] }),
    ];
    await send('DELETE', `/collections/${deleted}`);

    const found: boolean[] = [];
    for (const agent of agents) {
      const path = `/agents/${agent.id}`;
      const { data } = await send('GET', path);
      expect(data.collections).toEqual(agent.collections);
      const saved = await send('PUT', path, { ...data, name: 'Renamed' });
      expect(saved).toMatchObject({ status: 200, data: { name: 'Renamed', collections: agent.collections } });
      const added = await send('PUT', path, { collections: [...data.collections, 'col_01h455vb4pex5vsknk084sn02q'] });
      expect(added.status).toBe(404);
      const events = await lectern.api.stream(`/api/v1${path}/execute/stream`, { message: 'What is the vault code?' });
      found.push(JSON.stringify(events).includes('xylophone'));
    }
    expect(found).toEqual([false, true]);
    const updated = await send('PUT', `/agents/${agents[1].id}`, { collections: [existing] });
    expect(updated.data.collections).toEqual([existing]);
    expect((await send('PUT', `/agents/${agents[1].id}`, { collections: [deleted] })).status).toBe(404);
  });
});

describe('the audit log', () => {
  it('does not list rejected changes', async () => {
    const { path } = await RESOURCES.collections!.make();
    const { data } = await send('GET', path);
    await send('PUT', path, { ...data, documentCount: 9 });
    await send('PUT', path, { name: 'x' }, ifMatch('"x"'));
    await send('DELETE', path, undefined, ifMatch('"x"'));
    await send('PUT', path, { ...data, name: 'y' });
    const events = (await lectern.api.all('/api/v1/audit')).filter(({ resource }) => resource.id === data.id);
    expect(events.map(({ action }) => action).toSorted()).toEqual(['createCollection', 'updateCollection']);
    expect(events.find(({ action }) => action === 'updateCollection')?.details).toEqual({ fields: ['name'] });
  });
});
