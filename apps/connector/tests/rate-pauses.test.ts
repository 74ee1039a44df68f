import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { type SlackServer, startSlackServer } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const CHANNEL = 'C0GENERAL';
const MESSAGES = 60;
/**
 * Requests that two workers can have in flight at a time. More requests would have been sent during
 * the pause.
 */
const MAX_IN_FLIGHT = 20;

let slack: SlackServer;
let system: TestSystem;
beforeAll(async () => {
  slack = await startSlackServer();
  system = await startSystem({ env: { SLACK_API_URL: slack.apiUrl, EGRESS_ALLOW: '127.0.0.1' } });
  await system.startReplica();
});
afterAll(async () => {
  await system?.stop();
  await slack?.stop();
});

describe('a source that asks for a pause of a second', () => {
  it('receives no requests in that second from any worker of any process', async () => {
    const { client } = system;
    slack.model.addUser('U0ADA', 'Ada');
    slack.model.addChannel(CHANNEL, 'general', { members: ['U0ADA'] });
    for (let n = 0; n < MESSAGES; n += 1) slack.model.post(CHANNEL, `message ${n}`);
    let pausedUntil = 0;
    let rejections = 0;
    slack.fail(({ path }) => {
      if (!path.endsWith('conversations.replies')) return undefined;
      if (pausedUntil === 0) pausedUntil = Date.now() + 1_000;
      if (Date.now() >= pausedUntil) return undefined;
      rejections += 1;
      return { kind: 'status', status: 429, retryAfter: '1' };
    });
    const connector = await client.connectors.createConnector(
      {
        name: 'Slack',
        type: 'slack',
        collectionId: newCollection(system.collection.collections),
        config: { channels: ['general'] },
        credentials: { token: slack.token },
      },
      client.as(),
    );
    const { id } = await client.sync(connector.id);
    expect(await client.ended(connector.id, id)).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { indexed: MESSAGES, failed: 0 },
    });
    expect(rejections).toBeGreaterThan(0);
    expect(rejections).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  });
});
