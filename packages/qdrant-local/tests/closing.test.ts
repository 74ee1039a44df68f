import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createQdrantLocal } from '../src/index.ts';
import { startLocalServer } from './support/local-server.ts';

describe('closing a server', () => {
  it('answers the request that is under way, then frees its connection at once', async () => {
    const server = await startLocalServer();
    const socket: Socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const body = JSON.stringify({ vectors: { size: 1, distance: 'Dot' } });
    socket.write(
      `PUT /collections/late HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    // The server has the head of the request once another connection, opened later, is answered.
    await fetch(server.url);
    const startedAt = performance.now();
    const stopped = server.stop();
    socket.write(body);
    await Promise.all([stopped, ended]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  it('takes no notice of a client that leaves in the middle of its request', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'qdrant-local-leave-'));
    const warnings: string[] = [];
    const server = await createQdrantLocal({ dataDir, port: 0, warn: (message) => warnings.push(message) });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      'PUT /collections/half HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"vec',
    );
    await fetch(server.url);
    socket.destroy();
    await fetch(server.url);
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
    expect(warnings).toEqual([]);
  });
});
