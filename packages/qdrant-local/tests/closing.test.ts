import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
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
    socket.write(`PUT /collections/late HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`);
    // The server has the head of the request once another connection, opened later, is answered.
    await fetch(server.url);
    const startedAt = performance.now();
    const stopped = server.stop();
    socket.write(body);
    await Promise.all([stopped, ended]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});
