import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AnthropicTurn,
  type ModelServer,
  type S3Server,
  startAnthropicServer,
  startS3Server,
  waitUntil,
} from '@lectern/testing';
import { undocumentedParts } from './support/documented-spans.ts';
import { findFreeRange, type Metrics, readMetrics } from './support/metrics.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';
import { type Span, startTraceReceiver, type TraceReceiver } from './support/trace-receiver.ts';

const MODEL = 'claude-sonnet-5-5';
const MODEL_KEY = 'sk-ant-canarykey';
const FILES = 30;
/** Values that must not leak into telemetry. */
const CANARIES = {
  text: 'Quetzalcanary',
  title: 'Titlecanary',
  file: 'Filecanary',
  question: 'Questioncanary',
  answer: 'Answercanary',
  collection: 'Namecanary',
};
const WAIT = { timeoutMs: 60_000, intervalMs: 250 };

let receiver: TraceReceiver;
let model: ModelServer<AnthropicTurn>;
let source: S3Server;
let lectern: Lectern;
let firstPort: number;
let metrics: Metrics;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  model = await startAnthropicServer({ apiKey: MODEL_KEY, models: { [MODEL]: 128_000 } });
  model.play({
    kind: 'message',
    blocks: [{ type: 'text', text: `${CANARIES.answer} is in the harbor.`, cites: [{ searchResult: 0 }] }],
    usage: { input: 1_000_000, cacheRead: 1_000_000, output: 100_000 },
  });
  source = await startS3Server();
  for (let at = 0; at < FILES; at += 1)
    source.put(`${CANARIES.file} ${at}.md`, `# ${CANARIES.title}\n\n${CANARIES.text} ${at}.`);
  firstPort = await findFreeRange();
  lectern = await startLectern({
    LOG_LEVEL: 'trace',
    METRICS_PORT: String(firstPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    ANTHROPIC_API_KEY: MODEL_KEY,
    ANTHROPIC_BASE_URL: model.origin,
    EGRESS_ALLOW: '127.0.0.1',
  });
  await useSystem();
});

afterAll(async () => {
  await lectern?.stop();
  await Promise.all([receiver?.stop(), model?.stop(), source?.stop()]);
});

/** Creates a document, syncs, searches, sends requests that gateway and service reject, and chats. */
async function useSystem(): Promise<void> {
  const { api } = lectern;
  const { id: collection } = await api.ok('POST', '/api/v1/collections', { name: CANARIES.collection });
  expect(await api.call('GET', '/api/v1/documents/doc_01h455vb4pex5vsknk084sn02q')).toMatchObject({ status: 404 });
  const { accessKeyId, secretAccessKey, region, bucket, origin: endpoint } = source;
  const { id: connector } = await api.ok('POST', '/api/v1/connectors', {
    name: 'Files',
    type: 's3',
    collection,
    config: { bucket, region, endpoint },
    credentials: { accessKeyId, secretAccessKey },
  });
  const { jobId } = await api.ok('POST', `/api/v1/connectors/${connector}/sync`, {});
  expect(await api.endOfJob(connector, jobId)).toMatchObject({ status: 'completed' });
  const document = { title: CANARIES.title, content: `${CANARIES.text} words about llamas.` };
  const { id } = await api.ok('POST', `/api/v1/collections/${collection}/documents`, document);
  await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
  const query = `${CANARIES.text} ${CANARIES.question}`;
  for (let at = 0; at < 3; at += 1) await api.ok('POST', '/api/v1/search', { query });
  await api.call('POST', '/api/v1/search', { query: 7 });
  const message = `What do the documents contain about ${query}?`;
  const reply = await api.ok('POST', `/api/v1/teams/${api.teamId}/chat`, { message, model: MODEL });
  expect(reply.content).toContain(CANARIES.answer);
  metrics = await readMetrics(firstPort);
}

const ROOTS = {
  search: 'POST /api/v1/search',
  chat: 'POST /api/v1/teams/:teamId/chat',
  sync: 'POST /api/v1/connectors/:id/sync',
  document: 'POST /api/v1/collections/:id/documents',
} as const;

/** Returns the spans of the first trace with this name. */
function traceOf(name: string): readonly Span[] {
  const traceId = receiver.spans.find((span) => span.name === name)?.traceId;
  return receiver.spans.filter((span) => span.traceId === traceId);
}

/** Returns whether every span except one has a parent in the same trace. */
function isOneTree(spans: readonly Span[]): boolean {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId)).length === 1;
}

const count = (spans: readonly Span[], name: string) => spans.filter((span) => span.name === name).length;

describe('a trace', () => {
  it.each([
    ['search', ['gateway', 'search', 'collection'], ['qdrant query batch']],
    ['chat', ['gateway', 'chat', 'search', 'collection'], ['qdrant query batch']],
    [
      'sync',
      ['gateway', 'connector', 'collection'],
      ['consume sync-plan', 'enqueue sync-item', 'index document', 'qdrant upsert'],
    ],
    [
      'document',
      ['gateway', 'collection'],
      ['enqueue document-index', 'consume document-index', 'index document', 'qdrant upsert'],
    ],
  ] as const)('is one tree across all participating services for a %s', async (kind, services, names) => {
    const root = ROOTS[kind];
    const isComplete = () => {
      const spans = traceOf(root);
      const hasAll = names.every((name) => count(spans, name) > 0) && count(spans, root) === 1;
      const isSynced = kind !== 'sync' || count(spans, 'consume sync-item') >= FILES;
      return hasAll && isSynced && isOneTree(spans);
    };
    await waitUntil(isComplete, { what: `a whole ${kind}`, ...WAIT }).catch((error) => {
      throw new Error(`${error.message}\n${listing(traceOf(root))}`);
    });
    const spans = traceOf(root);
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(services.map((name) => `lectern-${name}`)));
    if (kind === 'sync') expect(count(spans, 'index document')).toBe(FILES);
    if (kind === 'chat') expect(spans.some(({ attributes }) => attributes['url.full'] === model.origin)).toBe(true);
  });

  it('has only the spans and attributes that docs/operations.md lists', () => {
    expect(receiver.spans.length).toBeGreaterThan(100);
    expect([...new Set(receiver.spans.flatMap(undocumentedParts))].sort()).toEqual([]);
  });
});

const listing = (spans: readonly Span[]) =>
  spans
    .map(({ spanId, parentSpanId, service, kind, name }) => `${spanId} < ${parentSpanId} ${service} ${kind} ${name}`)
    .join('\n');

describe('metrics', () => {
  it('count requests and calls with their results and durations', () => {
    expect(metrics.total('lectern_http_duration_seconds_count', 'operation="searchDocuments"', 'status="200"')).toBe(3);
    expect(metrics.total('lectern_http_duration_seconds_count', 'status="400"')).toBe(1);
    expect(
      metrics.total('lectern_rpc_duration_seconds_count', 'service="SearchService"', 'method="Search"', 'code="ok"'),
    ).toBeGreaterThanOrEqual(4);
    expect(metrics.total('lectern_vector_store_duration_seconds_count', 'outcome="ok"')).toBeGreaterThan(4);
  });

  it('count the work of queues and syncs, and the pending messages', () => {
    expect(metrics.total('lectern_sync_items_total', 'outcome="indexed"')).toBe(FILES);
    expect(metrics.total('lectern_sync_bytes_total')).toBeGreaterThan(FILES * 20);
    expect(metrics.total('lectern_queue_handled_total', 'queue="sync-item"', 'outcome="done"')).toBeGreaterThanOrEqual(
      FILES,
    );
    for (const queue of ['sync-item', 'document-index']) {
      expect(metrics.text).toContain(`lectern_queue_pending_messages{queue="${queue}"} 0`);
    }
    expect(metrics.text).toContain('lectern_queue_oldest_seconds');
    expect(metrics.total('lectern_queue_handled_total', 'queue="document-index"', 'outcome="dead"')).toBe(0);
  });

  it('report for each engine whether the services can connect to it', () => {
    const connections = (dependency: string) => metrics.total('lectern_dependency_up', `dependency="${dependency}"`);
    // By search, chat, agent, collection and connector.
    expect([connections('postgresql'), connections('nats'), connections('qdrant')]).toEqual([4, 2, 2]);
  });

  it('count tokens and their cost by model, cache hits and decisions of the rate limiter', () => {
    expect(metrics.total('lectern_tokens_total', `model="${MODEL}"`, 'kind="prompt"')).toBe(2_000_000);
    // $2 for input, $0.10 for cached input, and $10 for output, per million tokens.
    expect(metrics.total('lectern_cost_usd_total', `model="${MODEL}"`)).toBeCloseTo(2 + 0.1 + 1);
    expect(metrics.total('lectern_cache_lookups_total', 'cache="api_key"', 'outcome="hit"')).toBeGreaterThan(4);
    expect(metrics.total('lectern_cache_lookups_total', 'cache="api_key"', 'outcome="miss"')).toBeGreaterThan(0);
    expect(metrics.total('lectern_limiter_decisions_total', 'kind="secret"', 'decision="admitted"')).toBeGreaterThan(5);
  });

  it.each([
    ['lectern_http_duration_seconds_bucket', 'operation="searchDocuments"'],
    ['lectern_rpc_duration_seconds_bucket', 'method="Search"'],
    ['lectern_vector_store_duration_seconds_bucket', 'operation="query batch"'],
  ])('link to a trace through exemplars: %s', async (metric, label) => {
    const lines = metrics.text.split('\n').filter((line) => line.startsWith(metric) && line.includes(label));
    const ids = lines.flatMap((line) => /trace_id="(\w+)"/.exec(line)?.[1] ?? []);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      await waitUntil(() => receiver.spans.some(({ traceId }) => traceId === id), { what: `trace ${id}`, ...WAIT });
    }
  });
});

describe('secret data', () => {
  const secrets = () => [...Object.values(CANARIES), lectern.credentials.secretKey, source.secretAccessKey, MODEL_KEY];

  it('is in no span', () => {
    for (const secret of secrets()) expect(receiver.received()).not.toContain(secret);
  });

  it('is in no metric, and neither are ids', () => {
    for (const secret of [...secrets(), lectern.credentials.teamId, 'doc_', 'con_', 'col_']) {
      expect(metrics.text).not.toContain(secret);
    }
  });

  it('is in no log, even at the most verbose level', async () => {
    const folder = join(lectern.home.path, 'logs');
    const names = (await readdir(folder)).filter((name) => !/postgres/i.test(name));
    const logs = (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
    expect(logs).toContain('"method":"/lectern.search.v1.SearchService/Search"');
    for (const secret of secrets()) expect(logs).not.toContain(secret);
  });
});
