import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEgressGuard } from '#create-egress-guard';
import { EgressError } from '#egress-error';
import { parseEgressAllow } from '#egress-rule';

interface Seen {
  readonly server: string;
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const guard = createEgressGuard({
  allow: parseEgressAllow('a.example,b.example'),
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
let seen: Seen[] = [];
let respond: (path: string) => { status: number; location: string } | undefined;
const servers: Server[] = [];
let a: string;
let b: string;

async function start(server: string): Promise<string> {
  const http = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push({ server, path, method: request.method ?? '', headers: request.headers });
    request.resume();
    const redirect = respond(path);
    if (redirect === undefined) return response.end('here');
    response.writeHead(redirect.status, { location: redirect.location }).end('moved');
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  servers.push(http);
  return `http://${server}.example:${(http.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  a = await start('a');
  b = await start('b');
});
beforeEach(() => {
  seen = [];
  respond = () => undefined;
});
afterAll(async () => {
  await guard.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const secrets = { authorization: 'Bearer s', cookie: 'c=s', 'x-api-key': 's', accept: 'text/plain' };
const to = (from: string, status: number, location: string) => {
  respond = (path) => (path === from ? { status, location } : undefined);
};

describe('redirects through the egress guard', () => {
  it('keep headers within the origin', async () => {
    to('/1', 302, '/2');
    await guard.fetch(`${a}/1`, { headers: secrets });
    expect(seen.at(-1)).toMatchObject({ path: '/2', headers: secrets });
  });

  it('can be limited to the origin', async () => {
    to('/1', 307, '/2');
    await guard.fetchWithinOrigin(`${a}/1`);
    expect(seen.at(-1)).toMatchObject({ server: 'a', path: '/2' });
    for (const status of [301, 302, 303, 307, 308]) {
      to('/1', status, `${b}/2`);
      for (const method of ['GET', 'POST']) {
        await expect(guard.fetchWithinOrigin(`${a}/1`, { method })).rejects.toThrow('redirects to another server');
      }
    }
    expect(seen.filter(({ server }) => server === 'b')).toEqual([]);
  });

  it('send no secrets to another origin', async () => {
    to('/1', 302, `${b}/2`);
    await guard.fetch(`${a}/1`, { headers: secrets });
    const last = seen.at(-1);
    expect(last).toMatchObject({ server: 'b', path: '/2', headers: { accept: 'text/plain' } });
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(last?.headers[name]).toBeUndefined();
  });

  it('resend a body only within the origin, and become GET as HTTP requires', async () => {
    const post = { method: 'POST', body: 'secret=1', headers: { 'content-type': 'text/plain' } };
    to('/1', 307, '/2');
    await guard.fetch(`${a}/1`, post);
    expect(seen.at(-1)).toMatchObject({ path: '/2', method: 'POST', headers: { 'content-length': '8' } });
    to('/1', 303, `${b}/2`);
    await guard.fetch(`${a}/1`, post);
    expect(seen.at(-1)).toMatchObject({ server: 'b', method: 'GET' });
    seen = [];
    to('/1', 307, `${b}/2`);
    await expect(guard.fetch(`${a}/1`, post)).rejects.toBeInstanceOf(EgressError);
    expect(seen.map(({ server }) => server)).toEqual(['a']);
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://169.254.169.254/latest/meta-data',
    '//127.0.0.1:PORT/',
    'file:///etc/passwd',
    'http://user:pass@b.example/',
    'http://',
  ])('are not followed to %s', async (location) => {
    to('/1', 302, location.replace('PORT', new URL(b).port));
    await expect(guard.fetch(`${a}/1`)).rejects.toBeInstanceOf(EgressError);
    expect(seen.map(({ server }) => server)).toEqual(['a']);
  });

  it('are followed five times, or not at all if the caller disables them', async () => {
    respond = (path) =>
      Number(path.slice(1)) < 5 ? { status: 302, location: `/${Number(path.slice(1)) + 1}` } : undefined;
    expect((await guard.fetch(`${a}/0`)).status).toBe(200);
    respond = () => ({ status: 302, location: '/again' });
    seen = [];
    await expect(guard.fetch(`${a}/0`)).rejects.toBeInstanceOf(EgressError);
    expect(seen).toHaveLength(6);
    expect((await guard.fetch(`${a}/0`, { redirect: 'manual' })).status).toBe(302);
    await expect(guard.fetch(`${a}/0`, { redirect: 'error' })).rejects.toBeInstanceOf(EgressError);
  });
});
