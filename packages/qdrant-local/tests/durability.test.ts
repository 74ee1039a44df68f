import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QdrantClient } from '@qdrant/js-client-rest';
import { createQdrantLocal } from '../src/index.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly client: QdrantClient;
}

describe('a server process', () => {
  let dataDir: string;
  let started: ChildProcess[];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'qdrant-local-kill-'));
    started = [];
  });

  afterEach(() => {
    for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<Running> {
    const child = spawn(process.execPath, [main, '--data', dataDir, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (chunk) => {
        output += chunk;
        const ready = /ready at (\S+)/.exec(output);
        if (ready?.[1]) resolve(ready[1]);
      });
      child.stderr?.on('data', (chunk) => {
        output += chunk;
      });
      child.once('exit', () => reject(new Error(`ended early: ${output}`)));
    });
    return { child, client: new QdrantClient({ url, checkCompatibility: false }) };
  }

  async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown[]> {
    const exited = once(child, 'exit');
    child.kill(signal);
    return await exited;
  }

  it('keeps every acknowledged write after repeated kill -9 during writes', async () => {
    const acknowledged = new Map<number, number>();
    const deleted = new Set<number>();
    let next = 0;
    for (let life = 0; life < 3; life++) {
      const { child, client } = await start();
      if (life === 0) await client.createCollection('k', { vectors: { v: { size: 16, distance: 'Dot' } } });
      const write = async (wait: boolean): Promise<void> => {
        for (;;) {
          const id = next++;
          const points = [{ id, vector: { v: Array.from({ length: 16 }, () => id) }, payload: { id, life } }];
          await client.upsert('k', { wait, points });
          acknowledged.set(id, life);
          if (id % 10 === 3) {
            await client.delete('k', { wait, points: [id - 1] });
            deleted.add(id - 1);
          }
        }
      };
      const writers = [true, false, true, false].map((wait) => write(wait).catch(() => undefined));
      const enough = acknowledged.size + 60;
      while (acknowledged.size < enough) await new Promise((resolve) => setImmediate(resolve));
      await end(child, 'SIGKILL');
      await Promise.all(writers);
    }
    const { child, client } = await start();
    for (const [id, life] of acknowledged) {
      const [found] = await client.retrieve('k', { ids: [id], with_vector: true });
      // A delete may have been executed although its response did not arrive.
      if (deleted.has(id)) expect(found).toBeUndefined();
      else if (found) expect(found).toEqual({ id, payload: { id, life }, vector: { v: Array(16).fill(id) } });
      else expect(id % 10).toBe(2);
    }
    const [code] = await end(child, 'SIGTERM');
    expect(code).toBe(0);
    expect(existsSync(join(dataDir, 'LOCK'))).toBe(false);
  });

  it('locks its folder until it is killed', async () => {
    const { child } = await start();
    await expect(createQdrantLocal({ dataDir, port: 0 })).rejects.toMatchObject({
      message: expect.stringContaining(`is in use by process ${child.pid}`),
    });
    await expect(start()).rejects.toMatchObject({ message: expect.stringContaining('is in use by process') });
    await end(child, 'SIGKILL');
    expect(existsSync(join(dataDir, 'LOCK'))).toBe(true);
    const next = await createQdrantLocal({ dataDir, port: 0 });
    await expect(createQdrantLocal({ dataDir, port: 0 })).rejects.toMatchObject({
      message: expect.stringContaining('is in use'),
    });
    await next.close();
  });

  it('replaces a lock whose process id now belongs to another process', async () => {
    writeFileSync(
      join(dataDir, 'LOCK'),
      JSON.stringify({ pid: process.pid, startedAt: '1', token: 'of an earlier process' }),
    );
    const own = await createQdrantLocal({ dataDir, port: 0 });
    await own.close();
    writeFileSync(join(dataDir, 'LOCK'), '{"pid":');
    const torn = await createQdrantLocal({ dataDir, port: 0 });
    await torn.close();
  });
});
