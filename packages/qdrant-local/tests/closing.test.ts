import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createQdrantLocal } from '../src/index.ts';
import { startLocalServer } from './support/local-server.ts';

describe('closing a server', () => {
  it('finishes the current request, then closes its connection immediately', async () => {
    const server = await startLocalServer();
    const socket: Socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk;
    });
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const body = JSON.stringify({ vectors: { size: 1, distance: 'Dot' } });
    socket.write(
      `PUT /collections/late HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    // Once a later connection has its response, the server has received the head of this request.
    await fetch(server.url);
    const startedAt = performance.now();
    const stopped = server.stop();
    socket.write(body);
    await Promise.all([stopped, ended]);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  it('ignores a client that disconnects during its request', async () => {
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
