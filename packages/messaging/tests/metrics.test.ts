import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort, type TestNats, testNats } from '@lectern/testing';

const FIXTURE = fileURLToPath(new URL('./fixtures/print-queue-metrics.ts', import.meta.url));

let nats: TestNats;

beforeAll(async () => {
  nats = await testNats();
});

afterAll(() => nats.stop());

describe('metrics of a queue', () => {
  it('export every outcome as 0 before the first message', async () => {
    const env = { PATH: process.env.PATH, NATS_URL: nats.url, METRICS_PORT: String(await findFreePort()) };
    const args = ['--import', '@lectern/service-kit/tracing', FIXTURE];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 30_000 });
    for (const outcome of ['done', 'retried', 'dead'])
      expect(stdout).toContain(`lectern_queue_handled_total{queue="idle",outcome="${outcome}"} 0\n`);
  });
});
