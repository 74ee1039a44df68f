import { beforeAll, describe, expect, it } from '@jest/globals';
import { BROKEN, HANDBOOK } from './handbook/handbook-data.ts';
import { QUESTIONS, UNANSWERABLE } from './handbook/questions.ts';
import type { Json } from './support/api.ts';
import type { SseEvent } from './support/parse-events.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

/** The shares of all questions that must have the right document first, and in the top three. */
const FIRST_SHARE = 24 / 30;
const TOP_THREE_SHARE = 28 / 30;
const FILES = [...HANDBOOK, ...BROKEN];

let lectern: SharedLectern;
let connectorId: string;
let collectionId: string;
let upload: Json;
let job: Json;
const contents = new Map<string, string>();

const documentOf = (file: string): string =>
  upload.files.find(({ name }: { name: string }) => name === file)?.documentId ?? `no document for ${file}`;
const chatPath = (suffix = '') => `/api/v1/teams/${lectern.credentials.teamId}/chat${suffix}`;

/** Returns the full text of a document. */
async function contentOf(id: string): Promise<string> {
  const known = contents.get(id);
  if (known !== undefined) return known;
  const { content } = await lectern.api.ok('GET', `/api/v1/documents/${id}/content`);
  contents.set(id, content);
  return content;
}

async function expectSources(sources: readonly Json[]): Promise<void> {
  for (const { id, title, excerpt } of sources) {
    expect(title).toMatch(/\S/);
    expect(excerpt).toMatch(/\S/);
    expect(await contentOf(id)).toContain(excerpt);
  }
}

function expectConfidence({ score, label }: Json): void {
  expect(score).toBeGreaterThanOrEqual(0);
  expect(score).toBeLessThanOrEqual(1);
  expect(label).toBe(score >= 0.75 ? 'high' : score >= 0.45 ? 'medium' : 'low');
}

function expectUsage({ promptTokens, completionTokens, totalTokens }: Json): void {
  expect(promptTokens).toBeGreaterThan(0);
  expect(completionTokens).toBeGreaterThan(0);
  expect(totalTokens).toBe(promptTokens + completionTokens);
}

function expectEventOrder(events: readonly SseEvent[]): void {
  const names = events.map(({ event }) => event).join(' ');
  expect(names).toMatch(/^message_start( content_delta)+ sources message_end$/);
}

beforeAll(async () => {
  lectern = await shareLectern();
  const { api } = lectern;
  collectionId = (await api.ok('POST', '/api/v1/collections', { name: 'Handbook' })).id;
  const connector = { name: 'Files', type: 'upload', collection: collectionId };
  connectorId = (await api.ok('POST', '/api/v1/connectors', connector)).id;
});

describe('the files of a handbook', () => {
  it('are indexed by one upload job, except the broken ones', async () => {
    upload = await lectern.api.upload(connectorId, FILES);
    expect(upload.files).toHaveLength(FILES.length);
    job = await lectern.api.endOfJob(connectorId, upload.jobId);
    expect(job.status).toBe('completed_with_errors');
    const progress = { total: FILES.length, indexed: HANDBOOK.length, skipped: 0, failed: BROKEN.length };
    expect(job.progress).toMatchObject(progress);
    expect(job.completedAt).toEqual(expect.any(String));
  });

  it('become failed documents with a readable error if they are broken', async () => {
    const documents = await lectern.api.all(`/api/v1/connectors/${connectorId}/documents`);
    expect(documents).toHaveLength(FILES.length);
    const failed = documents.filter(({ status }) => status === 'failed');
    const names = BROKEN.map(({ name }) => name).sort();
    expect(failed.map(({ externalId }) => externalId).sort()).toEqual(names);
    expect(job.errors.map(({ path }: Json) => path).sort()).toEqual(names);
    for (const { error } of failed) {
      expect(error.code).toMatch(/^[a-z_]+$/);
      // A sentence, without a stack or a path of this machine.
      expect(error.message).toMatch(/^[A-Z].{15,300}$/);
      expect(error.message).not.toMatch(/\bat \S+:\d+|node_modules|Error:|undefined/);
    }
  });

  it('are found: the right document is first, or at least in the top three', async () => {
    const misses: string[] = [];
    let first = 0;
    let topThree = 0;
    for (const { question, file } of QUESTIONS) {
      const found = await lectern.api.ok('POST', '/api/v1/search', { query: question, limit: 3 });
      const rank = found.results.findIndex(({ documentId }: Json) => documentId === documentOf(file)) + 1;
      if (rank === 1) first += 1;
      if (rank > 0) topThree += 1;
      else misses.push(question);
    }
    expect({ misses, isGood: first >= QUESTIONS.length * FIRST_SHARE }).toMatchObject({ isGood: true });
    expect(topThree).toBeGreaterThanOrEqual(QUESTIONS.length * TOP_THREE_SHARE);
  });

  it('answer questions in a chat, with sources quoted verbatim', async () => {
    const withoutSources: string[] = [];
    let rightSource = 0;
    let rightAnswer = 0;
    for (const { question, file, answer } of QUESTIONS) {
      const reply = await lectern.api.ok('POST', chatPath(), { message: question });
      expect(reply.content).toMatch(/\S/);
      if (reply.sources.length === 0) withoutSources.push(question);
      await expectSources(reply.sources);
      expectConfidence(reply.answer_confidence);
      expectUsage(reply.usage);
      if (reply.content.toLowerCase().includes(answer.toLowerCase())) rightAnswer += 1;
      if (reply.sources.some(({ id }: Json) => id === documentOf(file))) rightSource += 1;
    }
    expect(withoutSources).toEqual([]);
    expect(rightSource).toBeGreaterThanOrEqual(QUESTIONS.length * FIRST_SHARE);
    expect(rightAnswer).toBeGreaterThanOrEqual(QUESTIONS.length * FIRST_SHARE);
  });

  it('answer questions in a stream, with events in the order of the contract', async () => {
    for (const { question } of QUESTIONS.slice(0, 10)) {
      const events = await lectern.api.stream(chatPath('/stream'), { message: question });
      expectEventOrder(events);
      const { id, conversationId } = events[0]?.data ?? {};
      const end = events.at(-1)?.data;
      expectUsage(end.usage);
      expectConfidence(end.answer_confidence);
      const { sources } = events.at(-2)?.data ?? {};
      expect(sources.length).toBeGreaterThan(0);
      await expectSources(sources);
      const stored = await lectern.api.ok(
        'GET',
        `/api/v1/teams/${lectern.credentials.teamId}/conversations/${conversationId}`,
      );
      const text = events.flatMap(({ event, data }) => (event === 'content_delta' ? [data.delta] : [])).join('');
      expect(stored.messages.at(-1)).toMatchObject({ id, content: text, usage: end.usage });
    }
  });

  it.each(UNANSWERABLE)('do not answer: %s', async (question) => {
    const reply = await lectern.api.ok('POST', chatPath(), { message: question });
    expect(reply.answer_confidence.label).toBe('low');
    expect(reply.content).toMatch(/\b(could ?n[o']t|cannot|do(es)? not|did not|no(thing|ne)?)\b/i);
    expectEventOrder(await lectern.api.stream(chatPath('/stream'), { message: question }));
  });

  it('are skipped by a second sync', async () => {
    const again = await lectern.api.ok('POST', `/api/v1/connectors/${connectorId}/sync`, {});
    const { progress } = await lectern.api.endOfJob(connectorId, again.jobId);
    expect(progress).toMatchObject({ total: FILES.length, indexed: 0, deleted: 0 });
    expect(progress.skipped + progress.failed).toBe(FILES.length);
    const collection = await lectern.api.ok('GET', `/api/v1/collections/${collectionId}`);
    expect(collection.connectors).toEqual([connectorId]);
  });
});
