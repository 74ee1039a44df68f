import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type Engine, startQdrantLocal } from '#index';
import { scratchFolder } from './support/scratch.ts';

const scratch = scratchFolder();
const running: Engine[] = [];

async function start(name: string, more: { apiKey?: string; port?: number } = {}): Promise<Engine> {
  const engine = await startQdrantLocal({ dataDir: join(scratch.path, name), ...more });
  running.push(engine);
  return engine;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((engine) => engine.stop()));
});
afterAll(() => scratch.remove());

describe('startQdrantLocal', () => {
  it('keeps its collections after a restart and a kill -9', async () => {
    const first = await start('kept');
    const body = JSON.stringify({ vectors: { dense: { size: 4, distance: 'Cosine' } } });
    const created = await fetch(`${first.url}/collections/notes`, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(created.status).toBe(200);
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start('kept', { port: first.port });
    expect(second.port).toBe(first.port);
    expect((await fetch(`${second.url}/collections/notes`)).status).toBe(200);
  });

  it('requires the key if one is set, except for readiness', async () => {
    const engine = await start('locked', { apiKey: 'local-key' });
    expect((await fetch(`${engine.url}/collections`)).status).toBeGreaterThanOrEqual(401);
    expect((await fetch(`${engine.url}/collections`, { headers: { 'api-key': 'local-key' } })).status).toBe(200);
  });
});
