import { once } from 'node:events';
import { createServer, get as httpGet, type IncomingMessage, type Server } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { internalAddresses } from '@lectern/testing';
import { createEgressGuard } from '#create-egress-guard';
import { EgressError } from '#egress-error';
import type { EgressGuard } from '#egress-guard';
import { parseEgressAllow } from '#egress-rule';

const signal = () => AbortSignal.timeout(60_000);
const guards: EgressGuard[] = [];
let canary: Server;
let port: number;
let connections = 0;
let canConnect = false;
const socketPath = join(tmpdir(), `lectern-canary-${process.pid}.sock`);
const socketServer = createTcpServer((socket) => {
  connections += 1;
  socket.destroy();
});

beforeAll(async () => {
  canary = createServer((_request, response) => response.end('canary'));
  canary.on('connection', () => {
    connections += 1;
  });
  canary.listen(0, '::');
  socketServer.listen(socketPath);
  await Promise.all([once(canary, 'listening'), once(socketServer, 'listening')]);
  port = (canary.address() as AddressInfo).port;
});
beforeEach(() => {
  connections = 0;
});
afterEach(() => {
  if (!canConnect) expect(connections).toBe(0);
  canConnect = false;
});
afterAll(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
  canary.closeAllConnections();
  canary.close();
  socketServer.close();
});

function guard(allow = '', names: Readonly<Record<string, readonly string[][]>> = {}): EgressGuard {
  const turns = new Map<string, number>();
  const named = createEgressGuard({
    allow: parseEgressAllow(allow),
    resolve: async (name) => {
      const answers = names[name.toLowerCase().replace(/\.$/, '')];
      if (answers === undefined) throw Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' });
      const turn = turns.get(name) ?? 0;
      turns.set(name, turn + 1);
      const addresses = answers[Math.min(turn, answers.length - 1)] ?? [];
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  });
  guards.push(named);
  return named;
}

const LOOPBACK = [['127.0.0.1', '::1']];
const NAMES = {
  localhost: LOOPBACK,
  'a.localhost': LOOPBACK,
  'localhost.localdomain': LOOPBACK,
  'ip6-localhost': LOOPBACK,
  'inside.example': [['127.0.0.1']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'nothing-but-inside.example': [['10.1.1.1', '192.168.1.1', '::1']],
  'six.example': [['::1']],
  'metadata.google.internal': [['169.254.169.254']],
  // The system's resolver accepts these numbers; the guard does not parse them as addresses.
  '127.1': LOOPBACK,
  '0x7f000001': LOOPBACK,
  '2130706433': LOOPBACK,
};

describe('the egress guard', () => {
  it('has at least 60 addresses to block', () => expect(internalAddresses.length).toBeGreaterThanOrEqual(60));

  it.each(internalAddresses)('blocks %s for fetch, node:http and plain connections', async (host) => {
    const guarded = guard('', NAMES);
    await expect(guarded.fetch(`http://${host}:${port}/`, { signal: signal() })).rejects.toBeInstanceOf(EgressError);
    const bare = host.replace(/^\[|\]$/g, '');
    await expect(guarded.connect({ host: bare, port, signal: signal() })).rejects.toBeInstanceOf(Error);
    // node:http accepts no other hosts.
    if (!/^[\x20-\x7e]+$/.test(bare)) return;
    for (const [get, agent] of [
      [httpGet, guarded.httpAgent],
      [httpsGet, guarded.httpsAgent],
    ] as const) {
      const request = get({ host: bare, port, agent, signal: signal() });
      await once(request, 'error');
    }
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x', 'gopher://127.0.0.1/', 'unix:/tmp/x', 'x'])(
    'rejects the URL %s',
    async (url) => {
      await expect(guard().fetch(url)).rejects.toBeInstanceOf(EgressError);
    },
  );

  it('never uses a Unix socket', async () => {
    const guarded = guard('0.0.0.0/0,::/0,localhost');
    await expect(guarded.connect({ host: socketPath, port: 5432, signal: signal() })).rejects.toBeInstanceOf(
      EgressError,
    );
    for (const agent of [guarded.httpAgent, guarded.httpsAgent]) {
      const get = agent === guarded.httpAgent ? httpGet : httpsGet;
      const [error] = await once(get({ socketPath, agent, path: '/' }), 'error');
      expect(error).toBeInstanceOf(EgressError);
    }
  });

  it('checks a name each time it is resolved, and connects only to the checked address', async () => {
    const guarded = guard('', { 'rebind.example': [['203.0.114.1'], ['127.0.0.1']] });
    const short = AbortSignal.timeout(200);
    await expect(guarded.fetch(`http://rebind.example:${port}/`, { signal: short })).rejects.toBeInstanceOf(Error);
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(guarded.fetch(`http://rebind.example:${port}/`)).rejects.toBeInstanceOf(EgressError);
    }
  });

  it('reports what the user wrote, never the resolved address', async () => {
    const error = await guard('', NAMES)
      .fetch(`http://inside.example:${port}/`)
      .catch((reason: Error) => reason);
    expect(String(error)).toContain('inside.example');
    expect(String(error)).not.toContain('127.0.0.1');
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.0/8', 'localhost'],
    ['127.0.0.0/8', '2130706433'],
    ['localhost', '127.0.0.1'],
    ['inside.example', 'INSIDE.example.'],
    ['*.example', 'inside.example'],
    ['[::1]:PORT', 'six.example'],
    ['127.0.0.1:PORT', 'mapped.example'],
  ])('lets EGRESS_ALLOW=%s allow connections to %s', async (allow, host) => {
    canConnect = true;
    const guarded = guard(allow.replace('PORT', String(port)), NAMES);
    const response = await guarded.fetch(`http://${host}:${port}/`);
    expect(await response.text()).toBe('canary');
    const [answer] = (await once(httpGet({ host, port, agent: guarded.httpAgent }), 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    answer.resume();
    (await guarded.connect({ host, port, signal: signal() })).destroy();
  });

  it.each([
    ['127.0.0.1:1', '127.0.0.1'],
    ['example', 'inside.example'],
    ['*.inside.example', 'inside.example'],
    ['10.0.0.0/8', '127.0.0.1'],
    ['*.google.internal', 'metadata.google.internal'],
    ['169.254.0.0/16', '169.254.169.254'],
    ['100.64.0.0/10', '100.100.100.200'],
  ])('does not let EGRESS_ALLOW=%s allow connections to %s', async (allow, host) => {
    await expect(guard(allow, NAMES).fetch(`http://${host}:${port}/`)).rejects.toBeInstanceOf(EgressError);
  });

  it('trusts an origin of the operator including its port, and nothing else', async () => {
    canConnect = true;
    const base = guard('', NAMES);
    const trusting = base.trusting([`http://inside.example:${port}`]);
    expect(trusting).toBe(base.trusting([`http://inside.example:${port}`]));
    expect((await trusting.fetch(`http://inside.example:${port}/`)).status).toBe(200);
    await expect(trusting.fetch(`http://127.0.0.1:${port}/`)).rejects.toBeInstanceOf(EgressError);
    await expect(trusting.fetch('http://inside.example:2/')).rejects.toBeInstanceOf(EgressError);
    await expect(base.fetch(`http://inside.example:${port}/`)).rejects.toBeInstanceOf(EgressError);
  });

  it('cancels a connection attempt with its signal', async () => {
    const controller = new AbortController();
    const waiting = guard('', { 'slow.example': [['203.0.114.1']] }).connect({
      host: 'slow.example',
      port: 9,
      signal: controller.signal,
    });
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });
});
