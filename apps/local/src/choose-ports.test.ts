import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { choosePorts } from '#choose-ports';

const servers: Server[] = [];

/** Starts a server on a free port of the address. */
async function listenOn(host: string): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('choosePorts', () => {
  afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))));

  it('gives each service its own port, and the gateway the requested one if it is free', async () => {
    const free = await listenOn('127.0.0.1');
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const ports = await choosePorts(free, new Set());
    expect(ports.gateway).toBe(free);
    expect(new Set(Object.values(ports)).size).toBe(6);
  });

  it('skips ports on which another program listens (also only on IPv6) and unusable ports', async () => {
    const v4 = await listenOn('127.0.0.1');
    const v6 = await listenOn('::1').catch(() => v4);
    expect((await choosePorts(v4, new Set())).gateway).not.toBe(v4);
    expect((await choosePorts(v6, new Set())).gateway).not.toBe(v6);
    const { search } = await choosePorts(0, new Set());
    expect(Object.values(await choosePorts(0, new Set([search])))).not.toContain(search);
  });
});
