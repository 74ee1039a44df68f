import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATA_DIR, filesOf, HAS_DATA } from './handbook/handbook-data.ts';
import { QUESTIONS, UNANSWERABLE } from './handbook/questions.ts';
import type { Json } from './support/api.ts';
import type { SseEvent } from './support/parse-events.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

/** Of all questions: 24 and 28 of 30. */
const FIRST_SHARE = 24 / 30;
const TOP_THREE_SHARE = 28 / 30;

let lectern: SharedLectern;
let connectorId: string;
let collectionId: string;
let upload: Json;
let job: Json;
const contents = new Map<string, string>();

const documentOf = (file: string): string =>
  upload.files.find(({ name }: { name: string }) => name === file)?.documentId ?? `no document for ${file}`;
const chatPath = (suffix = '') => `/api/v1/teams/${lectern.credentials.teamId}/chat${suffix}`;
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** The document's whole text. */
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

/** message_start, any number of content_delta, sources, message_end: and nothing after it. */
function expectOrder(events: readonly SseEvent[]): void {
  const names = events.map(({ event }) => event).join(' ');
  expect(names).toMatch(/^message_start( content_delta)+ sources message_end$/);
}

if (!HAS_DATA)
  say(`Skipped: there are no sample files at ${DATA_DIR}. Set LECTERN_DATA_DIR to a folder that has them.`);

(HAS_DATA ? describe : describe.skip)(`the sample files of ${DATA_DIR} (LECTERN_DATA_DIR)`, () => {
  beforeAll(async () => {
    lectern = await shareLectern();
    const { api } = lectern;
    collectionId = (await api.ok('POST', '/api/v1/collections', { name: 'Handbook' })).id;
    const connector = { name: 'Files', type: 'upload', collection: collectionId };
    connectorId = (await api.ok('POST', '/api/v1/connectors', connector)).id;
  });

  it('go through one upload: the job ends and its counters add up to the 56 files', async () => {
    const files = [...filesOf('handbook'), ...filesOf('office')];
    expect(files).toHaveLength(56);
    const started = performance.now();
    upload = await lectern.api.upload(connectorId, files);
    expect(upload.files).toHaveLength(56);
    job = await lectern.api.endOfJob(connectorId, upload.jobId);
    const { total, indexed, skipped, failed } = job.progress;
    say(`56 files in ${((performance.now() - started) / 1000).toFixed(1)} s: ${JSON.stringify(job.progress)}`);
    expect(['completed', 'completed_with_errors']).toContain(job.status);
    expect(total).toBe(56);
    expect(indexed + skipped + failed).toBe(56);
    expect(job.completedAt).toEqual(expect.any(String));
  });

  it('leave each broken file as a failed document whose error a person understands', async () => {
    const documents = await lectern.api.all(`/api/v1/connectors/${connectorId}/documents`);
    expect(documents).toHaveLength(56);
    const failed = documents.filter(({ status }) => status === 'failed');
    expect(documents.filter(({ status }) => status === 'indexed')).toHaveLength(56 - failed.length);
    expect(failed).toHaveLength(job.progress.failed);
    expect(job.errors.map(({ path }: Json) => path).sort()).toEqual(failed.map(({ externalId }) => externalId).sort());
    for (const { title, error } of failed) {
      say(`failed: ${title}: ${error?.code}: ${error?.message}`);
      expect(error.code).toMatch(/^[a-z_]+$/);
      // A sentence, with neither a stack nor a path of this machine in it.
      expect(error.message).toMatch(/^[A-Z].{15,300}$/);
      expect(error.message).not.toMatch(/\bat \S+:\d+|node_modules|Error:|undefined/);
    }
  });

  it('answer the handbook questions with the right document first, or at least among the first three', async () => {
    const misses: string[] = [];
    let first = 0;
    let topThree = 0;
    for (const { question, file } of QUESTIONS) {
      const found = await lectern.api.ok('POST', '/api/v1/search', { query: question, limit: 3 });
      const rank = found.results.findIndex(({ documentId }: Json) => documentId === documentOf(file)) + 1;
      if (rank === 1) first += 1;
      if (rank > 0) topThree += 1;
      if (rank !== 1) misses.push(`  ${question} (${file}): ${rank || 'not found'}; first ${found.results[0]?.title}`);
    }
    say([`right document first ${first}, in the top three ${topThree} of ${QUESTIONS.length}`, ...misses].join('\n'));
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(30);
    expect(first).toBeGreaterThanOrEqual(QUESTIONS.length * FIRST_SHARE);
    expect(topThree).toBeGreaterThanOrEqual(QUESTIONS.length * TOP_THREE_SHARE);
  });

  it('let chat answer each question with sources that stand verbatim in their documents', async () => {
    const without: string[] = [];
    const labels = { high: 0, medium: 0, low: 0 };
    let rightSource = 0;
    let rightWords = 0;
    for (const { question, file, answer } of QUESTIONS) {
      const reply = await lectern.api.ok('POST', chatPath(), { message: question });
      expect(reply.content).toMatch(/\S/);
      if (reply.sources.length === 0) without.push(question);
      await expectSources(reply.sources);
      expectConfidence(reply.answer_confidence);
      expectUsage(reply.usage);
      labels[reply.answer_confidence.label as keyof typeof labels] += 1;
      const isRight = reply.content.toLowerCase().includes(answer.toLowerCase());
      if (isRight) rightWords += 1;
      else say(`  ${question} (${answer}): ${reply.content.replaceAll('\n', ' ').slice(0, 160)}`);
      if (reply.sources.some(({ id }: Json) => id === documentOf(file))) rightSource += 1;
    }
    say(
      `chat of ${QUESTIONS.length}: cites the right document ${rightSource}, holds the answer ${rightWords}, confidence ${JSON.stringify(labels)}`,
    );
    expect(without).toEqual([]);
    expect(rightSource).toBeGreaterThanOrEqual(QUESTIONS.length * FIRST_SHARE);
  });

  it("stream the same, with the contract's events in order and one end", async () => {
    for (const { question } of QUESTIONS) {
      const events = await lectern.api.stream(chatPath('/stream'), { message: question });
      expectOrder(events);
      const { id, conversationId } = events[0]?.data ?? {};
      const end = events.at(-1)?.data;
      expectUsage(end.usage);
      expectConfidence(end.answer_confidence);
      const { sources } = events.at(-2)?.data ?? {};
      expect(sources.length).toBeGreaterThan(0);
      await expectSources(sources);
      const kept = await lectern.api.ok(
        'GET',
        `/api/v1/teams/${lectern.credentials.teamId}/conversations/${conversationId}`,
      );
      const text = events.flatMap(({ event, data }) => (event === 'content_delta' ? [data.delta] : [])).join('');
      expect(kept.messages.at(-1)).toMatchObject({ id, content: text, usage: end.usage });
    }
  });

  it.each(UNANSWERABLE)('let chat say that it does not know: %s', async (question) => {
    const reply = await lectern.api.ok('POST', chatPath(), { message: question });
    say(`  ${reply.answer_confidence.score} ${reply.content.replaceAll('\n', ' ').slice(0, 160)}`);
    expect(reply.answer_confidence.label).toBe('low');
    expect(reply.content).toMatch(/\b(could ?n[o']t|cannot|do(es)? not|did not|no(thing|ne)?)\b/i);
    expectOrder(await lectern.api.stream(chatPath('/stream'), { message: question }));
  });

  it('let a second sync of the same files skip all of them', async () => {
    const again = await lectern.api.ok('POST', `/api/v1/connectors/${connectorId}/sync`, {});
    const ended = await lectern.api.endOfJob(connectorId, again.jobId);
    say(`second sync: ${ended.status} ${JSON.stringify(ended.progress)}`);
    const { total, indexed, skipped, failed, deleted } = ended.progress;
    expect(total).toBe(56);
    expect(indexed).toBe(0);
    expect(deleted).toBe(0);
    expect(skipped + failed).toBe(56);
    const collection = await lectern.api.ok('GET', `/api/v1/collections/${collectionId}`);
    expect(collection.connectors).toEqual([connectorId]);
  });
});
