import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { createCaller, type GraphServer, startGraphServer, waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

let graph: GraphServer;
let system: TestSystem;

beforeAll(async () => {
  graph = await startGraphServer();
  const { mail, addUser } = graph.model;
  const help = addUser('Help', { accountEnabled: false });
  mail.addMailbox(help.id);
  mail.deliver(help.id, 'Ticket');
  const ceo = addUser('Boss');
  mail.addMailbox(ceo.id);
  mail.deliver(ceo.id, 'Secret');
  system = await startSystem({ env: { EGRESS_ALLOW: new URL(graph.origin).host } });
});
afterAll(async () => {
  await system.stop();
  await graph.stop();
});

describe('the mailboxes of a tenant', () => {
  it('need the credentials again for other mailboxes and readers, who change without a sync', async () => {
    const client = system.clientOf(createCaller());
    const { tenantId, clientId, clientSecret } = graph;
    const credentials = { tenantId, clientId, clientSecret };
    const config = { endpoint: graph.origin, sharedMailboxes: 'help@example.com', mailboxReaders: 'ada@example.com' };
    const { id } = await client.connectors.createConnector(
      {
        ...{ name: 'Mail', type: 'microsoft_365', config },
        ...{ collectionId: newCollection(system.collection.collections), credentials },
      },
      client.as(),
    );
    const job = await client.ended(id, (await client.sync(id)).id, 60_000);
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 1, failed: 0 } });
    const canRead = () =>
      system.collection.live(id).some(({ principals }) => principals.includes('user:ada@example.com'));
    expect(canRead()).toBe(true);
    const update = (fields: object) => client.connectors.updateConnector({ id, ...fields }, client.as());
    for (const changed of [
      { sharedMailboxes: 'boss@example.com' },
      { mailboxes: 'boss@example.com' },
      { mailboxGroups: 'staff@example.com' },
      { mailboxReaders: 'eve@example.com' },
    ]) {
      await expect(update({ config: changed })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await update({ config: { mailboxReaders: null }, credentials });
    await waitUntil(() => !canRead(), { timeoutMs: 30_000, what: 'the readers of the mailbox to change' });
    expect(system.collection.live(id)).toHaveLength(1);
  });
});
