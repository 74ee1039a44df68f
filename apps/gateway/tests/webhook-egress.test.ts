import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createEgressGuard, type EgressGuardOptions, parseEgressAllow } from '@lectern/egress';
import { sendEvent } from '#webhooks/send-event';
import { newSigningSecret } from '#webhooks/signing-secret';
import { type Endpoint, startEndpoint, withStatus } from './support/endpoint.ts';
import { TLS } from './support/tls.ts';

const TIMEOUT_MS = 400;

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.stop());
afterEach(() => {
  endpoint.received.length = 0;
});

async function send(
  url: string,
  { allowHttp = true, ...options }: Partial<EgressGuardOptions> & { allowHttp?: boolean } = {},
) {
  const egress = createEgressGuard({ allow: parseEgressAllow('127.0.0.1'), ...options });
  const request = { url, secrets: [newSigningSecret()], id: 'wev_1', body: '{"type":"document.indexed"}' };
  try {
    return await sendEvent(request, { egress, timeoutMs: TIMEOUT_MS, allowHttp, now: () => new Date() });
  } finally {
    await egress.close();
  }
}

describe('sending an event', () => {
  it('does not follow a redirect, wherever it leads', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      endpoint.respond = (response, { path }) =>
        path === '/inside' ? withStatus(200)(response) : withStatus(status, '', { location: '/inside' })(response);
      expect((await send(endpoint.url)).attempt).toMatchObject({
        responseStatus: status,
        error: expect.stringContaining('does not follow redirects'),
      });
    }
    expect(endpoint.received.map(({ path }) => path)).not.toContain('/inside');
  });

  it.each(['http://127.0.0.1', 'http://[::1]', 'http://169.254.169.254', 'http://10.0.0.1', 'http://localhost'])(
    'rejects the internal address %s',
    async (origin) => {
      const { attempt } = await send(`${origin}:${endpoint.port}/hook`, { allow: [] });
      expect(attempt).toMatchObject({ responseStatus: null, error: expect.stringContaining('are not allowed') });
      expect(endpoint.received).toEqual([]);
    },
  );

  it('checks the address of the connection, so that a name cannot change its address after a check', async () => {
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    };
    const egress = createEgressGuard({ allow: parseEgressAllow('127.0.0.2'), resolve });
    const attempts: (string | null)[] = [];
    for (let count = 0; count < 3; count += 1) {
      const url = `http://rebinding.example:${endpoint.port}/hook`;
      const request = { url, secrets: [newSigningSecret()], id: 'wev_1', body: '{}' };
      const options = { egress, timeoutMs: TIMEOUT_MS, allowHttp: true, now: () => new Date() };
      attempts.push((await sendEvent(request, options)).attempt.error);
    }
    await egress.close();
    expect(attempts.slice(1)).toEqual([1, 2].map(() => expect.stringContaining('are not allowed')));
    expect(endpoint.received).toEqual([]);
  });

  it('ends at its deadline if the endpoint does not respond', async () => {
    endpoint.respond = () => undefined;
    expect((await send(endpoint.url)).attempt).toMatchObject({
      responseStatus: null,
      error: 'The endpoint did not respond within 0.4 seconds.',
    });
  });

  it('reads only the beginning of a huge response', async () => {
    let written = 0;
    endpoint.respond = (response) => {
      response.writeHead(200);
      const write = () => {
        if (response.destroyed) return;
        written += 65_536;
        if (response.write('x'.repeat(65_536))) setImmediate(write);
        else response.once('drain', write);
      };
      write();
    };
    const { attempt } = await send(endpoint.url);
    expect(attempt).toMatchObject({ responseStatus: 200, error: null });
    expect(attempt.response).toBe('x'.repeat(1_024));
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('accepts the status of a response whose body never ends', async () => {
    endpoint.respond = (response) => void response.writeHead(202).write('Accepted, ');
    expect((await send(endpoint.url)).attempt).toMatchObject({
      responseStatus: 202,
      response: 'Accepted, ',
      error: null,
    });
  });

  it('counts neither a connection that closes nor an interim response as accepted', async () => {
    endpoint.respond = (response) => {
      response.writeProcessing();
      void delay(20).then(() => response.socket?.destroy());
    };
    expect((await send(endpoint.url)).attempt).toMatchObject({ responseStatus: null, error: expect.any(String) });
  });

  it('requires TLS with a valid certificate unless the operator allows http', async () => {
    expect((await send(endpoint.url, { allowHttp: false })).attempt.error).toContain('WEBHOOK_ALLOW_HTTP');
    let requests = 0;
    const server = createServer(TLS, (_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { attempt } = await send(`https://127.0.0.1:${port}/`, { allowHttp: false });
    server.close();
    expect(attempt).toMatchObject({ responseStatus: null, error: expect.stringContaining('SELF_SIGNED') });
    expect(requests).toBe(0);
  });
});
