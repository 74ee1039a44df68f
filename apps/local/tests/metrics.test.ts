import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@lectern/local-engines';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const SECRET_WORDS = ['Canarytext', 'Canaryquestion', 'Canaryname'];
const SERVICES = 6;

let lectern: Lectern;
let firstPort: number;
let text: string;

/** A port with enough free ones after it. */
async function freeRange(): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const port = await findFreePort();
    const range = Array.from({ length: SERVICES }, (_, at) => port + at);
    const free = await Promise.all(range.map((wanted) => findFreePort(wanted)));
    if (free.every((found, at) => found === range[at])) return port;
  }
  throw new Error('No range of free ports');
}

/** What Prometheus would read from all services. */
async function scrape(): Promise<string> {
  const ports = Array.from({ length: SERVICES }, (_, at) => firstPort + at);
  const pages = await Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()));
  return pages.join('\n');
}

/** The sum of the series of a metric that have all of the labels. */
function total(metric: string, ...labels: string[]): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
  const matching = lines.filter((line) => labels.every((label) => line.includes(label)));
  return matching.reduce(
    (sum, line) =>
      sum +
      Number(
        line
          .slice(line.lastIndexOf('}') + 1)
          .trim()
          .split(' ')[0],
      ),
    0,
  );
}

describe('metrics of a running system', () => {
  beforeAll(async () => {
    firstPort = await freeRange();
    lectern = await startLectern({ METRICS_PORT: String(firstPort) });
    const { api } = lectern;
    const collection = await api.ok('POST', '/api/v1/collections', { name: 'Canaryname' });
    const connector = { name: 'Files', type: 'upload', collection: collection.id };
    const { id: connectorId } = await api.ok('POST', '/api/v1/connectors', connector);
    const { jobId } = await api.upload(connectorId, [
      { name: 'a.md', bytes: '# A\n\nCanarytext lies in the harbour.' },
    ]);
    await api.endOfJob(connectorId, jobId);
    for (let i = 0; i < 3; i += 1) await api.ok('POST', '/api/v1/search', { query: 'Canaryquestion harbour' });
    await api.call('POST', '/api/v1/search', { query: 7 });
    await api.ok('POST', `/api/v1/teams/${api.teamId}/chat`, { message: 'What lies in the harbour, Canaryquestion?' });
    text = await scrape();
  });

  afterAll(() => lectern.stop());

  it('count requests and calls with their ends and durations', () => {
    const searches = [...text.matchAll(/lectern_http_duration_seconds_count\{operation="(\w+)"/g)].map(([, id]) => id);
    expect(searches.length).toBeGreaterThan(4);
    expect(total('lectern_http_duration_seconds_count', 'status="200"')).toBeGreaterThanOrEqual(4);
    expect(total('lectern_http_duration_seconds_count', 'status="400"')).toBe(1);
    expect(
      total('lectern_rpc_duration_seconds_count', 'service="SearchService"', 'method="Search"', 'code="ok"'),
    ).toBeGreaterThanOrEqual(4);
    expect(total('lectern_vector_store_duration_seconds_count', 'outcome="ok"')).toBeGreaterThan(4);
  });

  it('count the work of queues and syncs, and tell what waits', () => {
    expect(total('lectern_sync_items_total', 'outcome="indexed"')).toBe(1);
    expect(total('lectern_queue_handled_total', 'queue="sync-item"', 'outcome="done"')).toBeGreaterThanOrEqual(1);
    expect(text).toMatch(/lectern_queue_pending_messages\{queue="sync-item"\} 0/);
    expect(text).toMatch(/lectern_queue_pending_messages\{queue="document-index"\} 0/);
    expect(text).toContain('lectern_queue_oldest_seconds');
  });

  it('count tokens by model, and decisions of the rate limiter', () => {
    expect(total('lectern_tokens_total', 'model="builtin-extractive"', 'kind="prompt"')).toBeGreaterThan(0);
    expect(total('lectern_limiter_decisions_total', 'kind="secret"', 'decision="admitted"')).toBeGreaterThan(5);
  });

  it('hold no text, question, name, key or id of anybody', () => {
    const { secretKey, teamId } = lectern.credentials;
    for (const word of [...SECRET_WORDS, secretKey, teamId, 'doc_', 'con_', 'col_']) expect(text).not.toContain(word);
  });
});
