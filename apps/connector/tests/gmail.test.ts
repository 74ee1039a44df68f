import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { createCaller, type GmailServer, startGmailServer, waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const BOB = '100000002';

let google: GmailServer;
let system: TestSystem;

beforeAll(async () => {
  google = await startGmailServer();
  const { origin } = google;
  google.directory.putUser({ id: BOB, primaryEmail: 'bob@example.com' });
  google.mailbox('100000001').deliver({ subject: 'private', text: 'The text of Ada.' });
  google.mailbox(BOB).deliver({
    subject: 'ticket',
    text: 'The text of a ticket.',
    attachments: [{ mimeType: 'text/plain', filename: 'log.txt', content: 'The text of a log.' }],
  });
  system = await startSystem({
    env: { GOOGLE_GMAIL_API_URL: origin, GOOGLE_ADMIN_API_URL: origin, GOOGLE_TOKEN_URL: `${origin}/token` },
  });
});
afterAll(async () => {
  await system.stop();
  await google.stop();
});

describe('the mailboxes of a domain', () => {
  it('are documents of their users, and other readers change with the config, without a sync', async () => {
    const client = system.clientOf(createCaller());
    const credentials = { serviceAccountKey: google.delegation.keyFile(), adminEmail: 'ada@example.com' };
    const { id } = await client.connectors.createConnector(
      {
        ...{ name: 'Mail', type: 'gmail', config: { sharedMailboxes: ['bob@example.com: user:carl@example.com'] } },
        ...{ collectionId: newCollection(system.collection.collections), credentials },
      },
      client.as(),
    );
    const job = await client.ended(id, (await client.sync(id)).id, 60_000);
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 3, failed: 0 } });
    const live = () =>
      system.collection
        .live(id)
        .map(({ request, principals }) => [request?.title, request?.content ?? '', principals] as const)
        .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    const [ada, carl, bob] = ['ada', 'carl', 'bob'].map((name) => `user:${name}@example.com`);
    expect(live()).toEqual([
      ['log.txt', 'The text of a log.', [bob, carl]],
      ['private', expect.stringContaining('The text of Ada.'), [ada]],
      ['ticket', expect.stringContaining('The text of a ticket.'), [bob, carl]],
    ]);
    const update = (fields: object) => client.connectors.updateConnector({ id, ...fields }, client.as());
    const unshared = { config: { sharedMailboxes: null } };
    await expect(update(unshared)).rejects.toMatchObject({ code: 'invalid_request' });
    await update({ ...unshared, credentials });
    await waitUntil(() => live().every(([, , principals]) => !principals.includes(carl!)), {
      timeoutMs: 30_000,
      what: 'the readers of the mailbox to change',
    });
    expect(live().map(([, , principals]) => principals)).toEqual([[bob], [ada], [bob]]);
  });
});
