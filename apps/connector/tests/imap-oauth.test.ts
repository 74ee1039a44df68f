import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectorStatus, JobStatus } from '@lectern/contracts';
import {
  createCaller,
  type ImapServer,
  type MailTokenServer,
  mailOf,
  startImapServer,
  startMailTokenServer,
} from '@lectern/testing';
import { type ConnectorClient, createConnectorClient, newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const USER = 'ada@example.com';

let tokens: MailTokenServer;
let server: ImapServer;
let system: TestSystem;

beforeAll(async () => {
  tokens = await startMailTokenServer();
  server = await startImapServer({
    users: { [USER]: '' },
    oauth: {
      ...{ mechanism: 'XOAUTH2', provider: 'google' },
      accepts: (token) => tokens.oauth.accepts(`Bearer ${token}`),
    },
  });
  server.mailbox.append('INBOX', mailOf({ subject: 'a', text: 'Text.', messageId: '<a@example.com>' }));
  system = await startSystem({ env: { EGRESS_ALLOW: '127.0.0.1' } });
});
afterAll(async () => {
  await system.stop();
  await server.stop();
  await tokens.stop();
});

const createMail = (client: ConnectorClient, credentials: Readonly<Record<string, string>>) =>
  client.connectors.createConnector(
    {
      ...{ name: 'Mail', type: 'imap', config: { host: server.host, port: server.port, security: 'none' } },
      collectionId: newCollection(system.collection.collections),
      credentials: { user: USER, ...credentials },
    },
    client.as(),
  );

describe('a mailbox that is opened with a refresh token', () => {
  it('keeps working when several replicas replace the token', async () => {
    const caller = createCaller();
    const client = system.clientOf(caller);
    const { tokenUrl, clientId, clientSecret } = tokens;
    const { refreshToken } = tokens.oauth.grant();
    const { id } = await createMail(client, { tokenUrl, clientId, clientSecret, refreshToken });
    const replica = await system.startReplica();
    const other = createConnectorClient(`127.0.0.1:${replica.port}`, caller);
    for (const each of [client, other, client, other]) {
      expect(await each.connectors.testConnector({ id }, each.as())).toMatchObject({ success: true });
      tokens.oauth.expireAccess();
      server.disconnect();
    }
    other.close();
    await replica.stop();
    expect(tokens.oauth.reusedRefreshToken).toBe(false);
  });

  it('gets other credentials while its provider does not respond', async () => {
    const client = system.clientOf(createCaller());
    const requested = Promise.withResolvers<void>();
    const hanging = createServer(() => requested.resolve()).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const { clientId, clientSecret } = tokens;
    const tokenUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/token`;
    const { id } = await createMail(client, { tokenUrl, clientId, clientSecret, refreshToken: 'entered first' });
    const waiting = client.connectors.testConnector({ id }, client.as());
    await requested.promise;
    const { refreshToken } = tokens.oauth.grant();
    const credentials = { user: USER, tokenUrl: tokens.tokenUrl, clientId, clientSecret, refreshToken };
    await client.connectors.updateConnector({ id, credentials }, client.as());
    expect(await client.connectors.testConnector({ id }, client.as())).toMatchObject({ success: true });
    hanging.closeAllConnections();
    hanging.close();
    expect(await waiting).toMatchObject({ success: false });
  });

  it('keeps working when the provider replaces the token, until it is revoked', async () => {
    const client = system.clientOf(createCaller());
    const { tokenUrl, clientId, clientSecret } = tokens;
    const { refreshToken } = tokens.oauth.grant();
    const { id } = await createMail(client, { tokenUrl, clientId, clientSecret, refreshToken });
    const before = tokens.oauth.refreshes;
    const sync = async () => client.ended(id, (await client.sync(id)).id, 60_000);
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 1, failed: 0 } });
    // Other settings open the source again, with what is stored.
    await client.connectors.updateConnector({ id, config: { attachments: false } }, client.as());
    server.mailbox.append('INBOX', mailOf({ subject: 'b', text: 'Text.', messageId: '<b@example.com>' }));
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 1, failed: 0 } });
    expect(tokens.oauth.refreshes - before).toBe(2);
    expect(tokens.oauth.reusedRefreshToken).toBe(false);

    tokens.oauth.revoke();
    server.disconnect();
    const test = await client.connectors.testConnector({ id }, client.as());
    expect(test).toMatchObject({ success: false });
    const connector = await client.connectors.getConnector({ id }, client.as());
    expect(connector.status).not.toBe(ConnectorStatus.PENDING_AUTH);
    expect(JSON.stringify([test, connector])).not.toMatch(/mail-client-secret|refresh-|access-/);
    expect(system.collection.live(id)).toHaveLength(2);
  });
});
