import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findConnectorType } from '../src/registry.ts';
import { internalAddresses } from './support/internal-addresses.ts';
import { call, collect } from './support/read-source.ts';
import { createTestHost } from './support/test-host.ts';

const host = createTestHost();
let canary: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  canary = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  canary.listen(0, '::');
  await once(canary, 'listening');
  port = (canary.address() as AddressInfo).port;
});
afterAll(async () => {
  canary.close();
  await host.close();
});

// Names are tried with a resolver of the test's own, beside the guard.
const addresses = internalAddresses.filter(
  (way) => way === 'localhost' || !/[a-z]\.?$|\.$/i.test(way) || /^0x/.test(way),
);

/** What a user can say of where a source is. */
const types = {
  s3: (inside: string) => ({
    config: { bucket: 'bucket', endpoint: `http://${inside}:${port}` },
    credentials: { accessKeyId: 'canary-key', secretAccessKey: 'canary-secret' },
  }),
  confluence: (inside: string) => ({
    config: { instanceUrl: `http://${inside}:${port}` },
    credentials: { token: 'canary-secret' },
  }),
  salesforce: (inside: string) => ({
    config: {},
    credentials: { accessToken: 'canary-secret', instanceUrl: `https://${inside}:${port}` },
  }),
  postgresql: (inside: string) => ({
    config: { host: inside, port, database: 'd' },
    credentials: { user: 'u', password: 'canary-secret' },
  }),
};

describe.each(Object.entries(types))('a private address in the settings of %s', (name, settingsOf) => {
  it.each(addresses)('%s is connected to neither by a test nor by a listing', async (inside) => {
    const settings = settingsOf(inside);
    const type = findConnectorType(name);
    let connector: ReturnType<typeof type.open>;
    try {
      connector = type.open({ ...settings, host });
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_request' });
      expect(JSON.stringify(error)).not.toContain('canary-secret');
      return;
    }
    const checks = await connector.test(call);
    expect(checks.at(-1)).toMatchObject({ ok: false });
    const error = await collect(connector.list(call)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'SourceError' });
    expect(JSON.stringify(checks) + String(error)).not.toContain('canary-secret');
    await connector.close?.();
    expect(connections).toBe(0);
  });
});
