import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { type Lectern, startLectern } from './support/start-lectern.ts';
import { type Span, startTraceReceiver } from './support/trace-receiver.ts';

const CANARY = 'Quetzalcanary';

let receiver: Awaited<ReturnType<typeof startTraceReceiver>>;
let lectern: Lectern;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  lectern = await startLectern({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
});

afterAll(async () => {
  await lectern.stop();
  await receiver.stop();
});

/** The spans of the trace that holds a span of this name. */
function traceWith(name: string): Span[] {
  const traceId = receiver.spans.find((span) => span.name === name)?.traceId;
  return receiver.spans.filter((span) => span.traceId === traceId);
}

const arrived = (name: string, last: string) =>
  waitUntil(() => traceWith(name).some((span) => span.name === last), {
    what: `${last} in the trace of ${name}`,
    timeoutMs: 30_000,
    intervalMs: 100,
  });

/** True where every span but the first hangs below another of the same trace. */
function isOneTree(spans: readonly Span[]): boolean {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId)).length === 1;
}

describe('a trace', () => {
  it('leads from the HTTP request through gRPC, PostgreSQL and NATS to Qdrant, and holds no text and no key', async () => {
    const { id } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Traced' });
    const text = { title: `${CANARY} title`, content: `${CANARY} words about llamas.` };
    await lectern.api.ok('POST', `/api/v1/collections/${id}/documents`, text);
    const indexing = 'POST /api/v1/collections/:id/documents';
    await arrived(indexing, 'consume document-index');
    await lectern.api.ok('POST', '/api/v1/search', { query: CANARY });
    const search = 'POST /api/v1/search';
    await arrived(search, search);

    const services = (name: string) => new Set(traceWith(name).map(({ service }) => service));
    expect(services(indexing)).toEqual(new Set(['lectern-gateway', 'lectern-collection']));
    expect(services(search)).toEqual(new Set(['lectern-gateway', 'lectern-search', 'lectern-collection']));
    const names = traceWith(indexing).map(({ name }) => name);
    for (const name of ['enqueue document-index', 'consume document-index', 'index document', 'qdrant upsert']) {
      expect(names).toContain(name);
    }
    await waitUntil(() => isOneTree(traceWith(indexing)) && isOneTree(traceWith(search)), {
      what: 'connected trees',
      timeoutMs: 30_000,
    });
    expect(receiver.received()).not.toContain(CANARY);
    expect(receiver.received()).not.toContain(lectern.credentials.secretKey);
  });
});
