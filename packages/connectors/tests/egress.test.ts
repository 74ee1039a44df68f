import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalAddresses } from '@lectern/testing';
import { findConnectorType } from '#registry';
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

// The unit tests of the guard cover other host names, with their own resolver.
const addresses = internalAddresses.filter(
  (address) => address === 'localhost' || !/[a-z]\.?$|\.$/i.test(address) || /^0x/.test(address),
);

/** Settings in which a user can specify a source's address. */
const types = {
  s3: (address: string) => ({
    config: { bucket: 'bucket', endpoint: `http://${address}:${port}` },
    credentials: { accessKeyId: 'canary-key', secretAccessKey: 'canary-secret' },
  }),
  confluence: (address: string) => ({
    config: { instanceUrl: `http://${address}:${port}` },
    credentials: { token: 'canary-secret' },
  }),
  jira: (address: string) => ({
    config: { baseUrl: `http://${address}:${port}` },
    credentials: { token: 'canary-secret' },
  }),
  gitlab: (address: string) => ({
    config: { instanceUrl: `http://${address}:${port}`, groups: ['acme'] },
    credentials: { token: 'canary-secret' },
  }),
  microsoft_365: (address: string) => ({
    config: { sites: 'all', endpoint: `http://${address}:${port}` },
    credentials: {
      tenantId: '72f988bf-86f1-41af-91ab-2d7cd011db47',
      clientId: '6731de76-14a6-49ae-97bc-6eba6914391e',
      clientSecret: 'canary-secret',
    },
  }),
  salesforce: (address: string) => ({
    config: {},
    credentials: { accessToken: 'canary-secret', instanceUrl: `https://${address}:${port}` },
  }),
  web: (address: string) => ({
    config: { startUrls: [`http://${address}:${port}/`], delayMs: 0 },
    credentials: {},
  }),
  imap: (address: string) => ({
    config: { host: address, port, security: 'none' },
    credentials: { user: 'u', password: 'canary-secret' },
  }),
  postgresql: (address: string) => ({
    config: { host: address, port, database: 'd' },
    credentials: { user: 'u', password: 'canary-secret' },
  }),
};

describe.each(Object.entries(types))('a private address in the settings of %s', (name, settingsOf) => {
  it.each(addresses)('blocks %s in connection tests and listings', async (address) => {
    const settings = settingsOf(address);
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
