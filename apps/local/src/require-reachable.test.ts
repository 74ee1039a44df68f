import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requireReachable } from '#require-reachable';

describe('requireReachable', () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('accepts a list in which one server is listening', async () => {
    await requireReachable('NATS_URL', `nats://127.0.0.1:1, 127.0.0.1:${port}`);
    await requireReachable('QDRANT_URL', `http://127.0.0.1:${port}/prefix`);
  });

  it('reports the setting and the address, but not the password', async () => {
    const error = await requireReachable('DATABASE_URL', 'postgresql://me:secret@127.0.0.1:1/db').catch(String);
    expect(error).toContain('DATABASE_URL is set, but no server is listening at 127.0.0.1:1.');
    expect(error).not.toContain('secret');
    await expect(requireReachable('NATS_URL', 'nats://:::')).rejects.toThrow('NATS_URL is not a valid URL');
  });
});
