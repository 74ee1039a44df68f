import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Api, createApi, type Json, joinAs } from './support/api.ts';
import { connectApp } from './support/connect-app.ts';
import { openMcpDoor } from './support/mcp-door.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

/** A word in every document. A search for it finds everything that the caller can read. */
const WORD = 'heron';
const QUESTION = { message: 'Which marker does the heron carry?' };
/** The end users of a team: the address, and the role of the account. An address has one account. */
const USERS = [
  { name: 'ada', domain: 'example.com', role: 'member' },
  { name: 'bob', domain: 'other.test', role: 'admin' },
] as const;
const PRINCIPALS = ['public', 'user:ada', 'user:bob', 'group:domain:example.com', 'group:x:none'];
const SHELVES = ['a', 'b', 'c'] as const;
const RUNS = 2;

/** The parts of a scenario. Numbers choose collections and documents by index. */
interface Scenario {
  readonly teams: readonly {
    readonly documents: readonly {
      readonly collection: number;
      readonly shelf: string;
      readonly principals: readonly string[];
    }[];
    readonly scope: readonly number[];
  }[];
  readonly lost: readonly { readonly document: number; readonly how: 'deleted' | 'hidden' }[];
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  teams: fc.array(
    fc.record({
      documents: fc.array(
        fc.record({
          collection: fc.nat(1),
          shelf: fc.constantFrom(...SHELVES),
          principals: fc.subarray(PRINCIPALS, { minLength: 1 }),
        }),
        {
          minLength: 3,
          maxLength: 7,
        },
      ),
      scope: fc.subarray([0, 1]),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  lost: fc.array(fc.record({ document: fc.nat(6), how: fc.constantFrom('deleted' as const, 'hidden' as const) }), {
    minLength: 1,
    maxLength: 3,
  }),
});

/** A document in the model. */
interface Known {
  readonly id: string;
  readonly marker: string;
  readonly collection: string;
  readonly shelf: string;
  readonly externalId: string;
  principals: readonly string[];
  isDeleted: boolean;
}

/** A caller, and the documents that it can read according to the model. */
interface Reader {
  readonly name: string;
  readonly api: Api;
  /** The headers with which the caller uses MCP: the key, or the token of a connected app. */
  readonly mcp?: Readonly<Record<string, string>>;
  /** A publishable key or a user token, which cannot list documents. */
  readonly isInBrowser: boolean;
  readonly canChat: boolean;
  readonly user: string | undefined;
  /** True for callers that manage connectors, and may see why a file failed. */
  readonly mayManage: boolean;
  /** True for end users with access to the collections of the agent. */
  readonly runsAgent: boolean;
  readonly canRead: (document: Known) => boolean;
}

interface Team {
  readonly documents: readonly Known[];
  readonly collections: readonly string[];
  readonly readers: readonly Reader[];
  /** An agent that searches all collections. */
  readonly agentId: string;
  readonly connectorId: string;
  readonly jobId: string;
  /** In the name of a file that could not be indexed. */
  readonly failedMarker: string;
}

let lectern: SharedLectern;
beforeAll(async () => {
  lectern = await shareLectern();
});

/** The filters of user tokens, and which documents match. */
const FILTERS: readonly (readonly [string, Json, (document: Known) => boolean])[] = [
  ['no filters', undefined, () => true],
  ['one shelf', { 'metadata.shelf': 'a' }, ({ shelf }) => shelf === 'a'],
  ['other shelves', { $not: { 'metadata.shelf': { $in: ['a', 'b'] } } }, ({ shelf }) => shelf === 'c'],
];

let teamCount = 0;

/** Returns the principals of a user, computed independently of the code under test. */
const principalsOf = (user: string) => ['public', `user:${user}`, `group:domain:${user.split('@')[1]}`];

/** Uploads a file that cannot be parsed. Only people who manage connectors may learn its name. */
async function failFile(full: Api, failedMarker: string) {
  const { id: collection } = await full.ok('POST', '/api/v1/collections', { name: 'Uploads' });
  const connector = { name: 'Files', type: 'upload', collection };
  const { id: connectorId } = await full.ok('POST', '/api/v1/connectors', connector);
  const { jobId } = await full.upload(connectorId, [{ name: `${failedMarker}.pdf`, bytes: '%PDF-1.7 broken' }]);
  expect(JSON.stringify(await full.endOfJob(connectorId, jobId))).toContain(failedMarker);
  return { connectorId, jobId, failedMarker };
}

const readableBy =
  (user: string, isAccessible: (document: Known) => boolean) =>
  (document: Known): boolean =>
    isAccessible(document) && principalsOf(user).some((principal) => document.principals.includes(principal));

async function buildTeam({ documents, scope }: Scenario['teams'][number]): Promise<Team> {
  teamCount += 1;
  const credentials = await lectern.createTeam();
  const full = createApi(credentials);
  const users = USERS.map((user) => ({ ...user, email: `${user.name}.${full.teamId}@${user.domain}`.toLowerCase() }));
  const named = (principal: string) => {
    const user = users.find(({ name }) => principal === `user:${name}`);
    return user === undefined ? principal : `user:${user.email}`;
  };
  const collections: string[] = [];
  for (const at of [0, 1]) collections.push((await full.ok('POST', '/api/v1/collections', { name: `C${at}` })).id);
  const known: Known[] = [];
  for (const [at, { collection, shelf, principals: unnamed }] of documents.entries()) {
    const principals = unnamed.map(named);
    const marker = `marker${teamCount}x${at}q`;
    const collectionId = collections[collection] ?? '';
    const externalId = `doc-${at}`;
    const body = {
      title: `Title ${marker}`,
      content: `The ${WORD} carries the marker ${marker}.`,
      externalId,
      principals,
      metadata: { shelf },
    };
    const { id } = await full.ok('POST', `/api/v1/collections/${collectionId}/documents`, body);
    known.push({ id, marker, collection: collectionId, shelf, externalId, principals, isDeleted: false });
  }
  await untilIndexed(full, collections);
  const failed = await failFile(full, `marker${teamCount}x99q`);
  const agent = { name: 'Helper', systemPrompt: 'You help.', collections, tools: ['search_documents'] };
  const { id: agentId } = await full.ok('POST', '/api/v1/agents', agent);
  const ids = scope.map((at) => collections[at] ?? '');
  const fields = { name: 'restricted', allow_all_collections: false, allowed_collections: ids };
  const restricted = await full.ok('POST', '/api/v1/api-keys', fields);
  const inScope = (document: Known) => !document.isDeleted && ids.includes(document.collection);
  const exists = (document: Known) => !document.isDeleted;
  const isPublic = ({ principals }: Known) => principals.includes('public');
  const withKey = (secretKey: string) => createApi({ ...credentials, secretKey });
  const readers: Reader[] = [];
  for (const [label, secretKey, isAccessible] of [
    ['full', credentials.secretKey, exists],
    ['restricted', restricted.secretKey, inScope],
  ] as const) {
    const api = withKey(secretKey);
    const mcp = { Authorization: `Bearer ${secretKey}` };
    const key = { isInBrowser: false, canChat: true, user: undefined, mayManage: true, runsAgent: false };
    readers.push({ ...key, name: label, api, mcp, canRead: isAccessible });
    for (const { email } of users) {
      const user = { canChat: true, user: email, mayManage: false };
      const canRead = readableBy(email, isAccessible);
      const onServer = { ...user, isInBrowser: false, runsAgent: label === 'full' };
      const asUser = { api: api.as(email), mcp: { ...mcp, 'X-Service-User': email } };
      readers.push({ ...onServer, ...asUser, name: `${label} for ${email}`, canRead });
      for (const [filter, filters, matches] of FILTERS) {
        const body = { user: email, rights: ['search', 'chat'], ...(filters === undefined ? {} : { filters }) };
        const { token } = await api.ok('POST', '/api/v1/user-tokens', body);
        readers.push({
          ...user,
          isInBrowser: true,
          runsAgent: false,
          name: `token of ${label} for ${email} with ${filter}`,
          api: withKey(token),
          canRead: (document) => canRead(document) && matches(document),
        });
      }
    }
  }
  for (const { email, role } of users) {
    const api = await joinAs(credentials, email, role);
    const person = { isInBrowser: false, canChat: true, user: email, mayManage: role !== 'member', runsAgent: true };
    const { token } = await connectApp(lectern.baseUrl, api, 'Assistant');
    const mcp = { Authorization: `Bearer ${token}` };
    const canRead = readableBy(email, exists);
    readers.push({ ...person, name: `session and app of ${role} ${email}`, api, mcp, canRead });
  }
  for (const [label, key, isAccessible] of [
    ['publishable', credentials.publishableKey, exists],
    ['restricted publishable', restricted.publishableKey, inScope],
  ] as const) {
    const canRead = (document: Known) => isAccessible(document) && isPublic(document);
    const page = { isInBrowser: true, canChat: false, user: undefined, mayManage: false, runsAgent: false };
    readers.push({ ...page, name: label, api: withKey(key), canRead });
  }
  return { documents: known, collections, readers, agentId, ...failed };
}

async function untilIndexed(full: Api, collections: readonly string[]): Promise<void> {
  for (const id of collections) {
    await full.until(`/api/v1/collections/${id}/documents`, (rows) =>
      rows.every(({ status }: Json) => status === 'indexed'),
    );
  }
}

/** Checks that no response contains a marker of a document that the reader cannot read. */
function expectOnly(what: string, answer: unknown, allowed: ReadonlySet<string>): void {
  const markers = JSON.stringify(answer).match(/marker\d+x\d+q/g) ?? [];
  expect({ what, leaked: markers.filter((marker) => !allowed.has(marker)) }).toEqual({ what, leaked: [] });
}

/** Checks that job errors, and the lists and streams around them, name no file to people who only read. */
async function checkJobs({ connectorId, jobId, failedMarker }: Team, { api, name, mayManage }: Reader): Promise<void> {
  const connector = `/api/v1/connectors/${connectorId}`;
  const paths = [`${connector}/sync`, `${connector}/sync/${jobId}`, `${connector}/documents`, `${connector}/files`];
  for (const path of paths) {
    const answer = await api.call('GET', path);
    expectOnly(`${name}: ${path}`, answer, new Set(mayManage ? [failedMarker] : []));
  }
}

/** Checks that MCP finds, lists and reads exactly the documents that the REST API does. */
async function checkMcp(team: Team, others: readonly Known[], { name, mcp, canRead }: Reader): Promise<void> {
  if (mcp === undefined) return;
  const readable = team.documents.filter(canRead);
  const ids = new Set(readable.map(({ id }) => id));
  const allowed = new Set(readable.map(({ marker }) => marker));
  const door = await openMcpDoor(lectern.baseUrl, mcp);
  expect({ name, found: new Set(await door.search(WORD)) }).toEqual({ name, found: ids });
  expect({ name, listed: new Set(await door.listed()) }).toEqual({ name, listed: ids });
  for (const { id, marker } of [...team.documents, ...others]) {
    for (const { way, isRead, answer } of await door.read(id)) {
      expect({ name, way, isRead }).toEqual({ name, way, isRead: ids.has(id) });
      expect({ name, way, hasMarker: answer.includes(marker) }).toEqual({ name, way, hasMarker: ids.has(id) });
    }
  }
  expectOnly(`${name}: ask over MCP`, await door.ask(QUESTION.message), allowed);
  await door.close();
}

async function checkReader(team: Team, others: readonly Known[], reader: Reader): Promise<void> {
  const { api, canRead, name } = reader;
  const readable = team.documents.filter(canRead);
  const allowed = new Set(readable.map(({ marker }) => marker));
  const ids = new Set(readable.map(({ id }) => id));
  for (const mode of ['keyword', 'hybrid', 'semantic']) {
    const query = { query: WORD, mode, limit: 100 };
    const found = await api.call('POST', '/api/v1/search', query);
    expectOnly(`${name}: ${mode} search`, found, allowed);
    const faceted = await api.call('POST', '/api/v1/search/faceted', { ...query, facets: ['collection', 'source'] });
    expectOnly(`${name}: ${mode} facets`, faceted, allowed);
    const statuses = [found.status, faceted.status];
    expect({ name, mode, statuses }).toEqual({ name, mode, statuses: [200, 200] });
    expect(found.meta.total).toBeLessThanOrEqual(ids.size);
    for (const { values } of faceted.data.facets) {
      const total = values.reduce((sum: number, { count }: Json) => sum + count, 0);
      expect(total).toBeLessThanOrEqual(ids.size);
    }
    if (mode !== 'keyword') continue;
    expect({ name, found: new Set(found.data.results.map(({ documentId }: Json) => documentId)) }).toEqual({
      name,
      found: ids,
    });
    expect(found.meta.total).toBe(ids.size);
    const [byCollection] = faceted.data.facets;
    for (const { value, count } of byCollection.values) {
      expect(count).toBe(readable.filter(({ collection }) => collection === value).length);
    }
  }
  expectOnly(`${name}: docs search`, await api.call('POST', '/v1/docs/search', { query: WORD }), allowed);
  const suggested = await api.call('POST', '/api/v1/search/suggestions', { query: WORD, limit: 20 });
  const isPublishable = reader.isInBrowser && reader.user === undefined;
  expect({ name, status: suggested.status }).toEqual({ name, status: isPublishable ? 403 : 200 });
  for (const { documentId } of suggested.data?.suggestions ?? []) {
    if (documentId !== null) expect(ids).toContain(documentId);
  }
  for (const { id, marker } of [...team.documents, ...others]) {
    for (const part of ['/content', '/summary', ...(isPublishable ? [] : [''])]) {
      const answer = await api.call('GET', `/api/v1/documents/${id}${part}`);
      expect({ name, part, ok: answer.status === 200 }).toEqual({ name, part, ok: ids.has(id) });
      if (answer.status !== 200) expect(JSON.stringify([answer.data, answer.error])).not.toContain(marker);
      if (answer.status === 200 && part === '') expect(answer.data.principals === null).toBe(reader.user !== undefined);
    }
  }
  for (const collection of await api.all('/api/v1/collections')) {
    if (!team.collections.includes(collection.id)) continue;
    const members = readable.filter((document) => document.collection === collection.id);
    expect({ name, count: collection.documentCount }).toEqual({ name, count: members.length });
    if (reader.isInBrowser) continue;
    const rows = await api.all(`/api/v1/collections/${collection.id}/documents`);
    expect(rows.map(({ id }) => id).sort()).toEqual(members.map(({ id }) => id).sort());
  }
}

describe('every caller', () => {
  it('sees only what keys, scopes, users and principals allow, now and in later conversations', async () => {
    const property = fc.asyncProperty(scenarios, async ({ teams: scenarioTeams, lost }) => {
      const teams: Team[] = [];
      for (const one of scenarioTeams) teams.push(await buildTeam(one));
      const [first, second] = teams;
      if (first === undefined || second === undefined) throw new Error('There must be two teams.');
      for (const reader of first.readers) {
        await checkReader(first, second.documents.slice(0, 2), reader);
        await checkMcp(first, second.documents.slice(0, 2), reader);
      }

      const conversations: {
        readonly path: string;
        readonly by: Reader;
        readonly key: string;
        readonly feedback: string;
      }[] = [];
      const markersFor = ({ canRead }: Reader) => new Set(first.documents.filter(canRead).map(({ marker }) => marker));
      const secretReaders = first.readers.filter(({ canChat }) => canChat);
      const runs: string[] = [];
      for (const by of secretReaders) {
        if (!by.isInBrowser) await checkJobs(first, by);
        const chat = `/api/v1/teams/${by.api.teamId}/chat`;
        const reply = await by.api.ok('POST', chat, QUESTION);
        expectOnly(`${by.name}: reply`, reply, markersFor(by));
        expectOnly(`${by.name}: stream`, await by.api.stream(`${chat}/stream`, QUESTION), markersFor(by));
        if (by.runsAgent) {
          const agent = `/api/v1/agents/${first.agentId}`;
          const events = await by.api.stream(`${agent}/execute/stream`, QUESTION);
          expectOnly(`${by.name}: agent`, events, markersFor(by));
          runs.push(`${agent}/runs/${events[0]?.data.runId}`);
        }
        const path = `/api/v1/teams/${by.api.teamId}/conversations/${reply.conversationId}`;
        const feedback = `${path}/messages/${reply.id}/feedback`;
        conversations.push({ path, by, key: reply.conversationId, feedback });
      }
      const [full] = first.readers;
      if (full === undefined) throw new Error('The team must have a key.');
      for (const { document, how } of lost) {
        const known = first.documents[document % first.documents.length];
        if (known === undefined || known.isDeleted) continue;
        if (how === 'deleted') {
          await full.api.ok('DELETE', `/api/v1/documents/${known.id}`);
          known.isDeleted = true;
        } else {
          const { externalId, marker, collection } = known;
          const body = { title: `Title ${marker}`, content: `The ${WORD} carries the marker ${marker}.`, externalId };
          const hidden = { ...body, principals: ['group:x:none'] };
          expect((await full.api.ok('POST', `/api/v1/collections/${collection}/documents`, hidden)).id).toBe(known.id);
          known.principals = ['group:x:none'];
        }
      }
      await untilIndexed(full.api, first.collections);
      for (const { path } of conversations) {
        for (const reader of secretReaders) {
          const answer = await reader.api.call('GET', path);
          expectOnly(`${reader.name}: conversation`, answer, markersFor(reader));
        }
      }
      for (const path of runs) {
        for (const reader of secretReaders) {
          if (!reader.runsAgent) continue;
          expectOnly(`${reader.name}: run`, await reader.api.call('GET', path), markersFor(reader));
        }
      }
      for (const { by, path, feedback } of conversations) {
        const rating = { rating: 'down', reason: 'wrong', comment: 'Look again.' };
        for (const reader of secretReaders) {
          const what = `${reader.name} rates the reply to ${by.name}`;
          const { status: read } = await reader.api.call('GET', path);
          const answer = await reader.api.call('POST', feedback, rating);
          // Whoever can read the conversation can rate its reply. 409: its sources are lost.
          const isRatable = answer.status === 200 || answer.status === 409;
          expect({ what, isRatable }).toEqual({ what, isRatable: read === 200 });
          if (reader === by) expect({ what, read }).toEqual({ what, read: 200 });
          expectOnly(`${reader.name}: feedback`, answer, markersFor(reader));
        }
      }
      for (const reader of secretReaders) {
        const suggested = await reader.api.call('GET', `/api/v1/teams/${reader.api.teamId}/suggestions`);
        expectOnly(`${reader.name}: suggestions`, suggested, markersFor(reader));
        const questions = await reader.api.call('GET', '/api/v1/questions?kind=down_voted&limit=100');
        expectOnly(`${reader.name}: questions`, questions, markersFor(reader));
        if (questions.status === 200) expect(JSON.stringify(questions)).not.toContain('@');
      }
      for (const { by, key } of conversations) {
        const body = { message: 'And which one else?', conversationId: key };
        expectOnly(
          `${by.name}: next`,
          await by.api.ok('POST', `/api/v1/teams/${by.api.teamId}/chat`, body),
          markersFor(by),
        );
      }
      for (const reader of first.readers) {
        await checkReader(first, second.documents.slice(0, 2), reader);
        await checkMcp(first, second.documents.slice(0, 2), reader);
      }
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  }, 900_000);
});
