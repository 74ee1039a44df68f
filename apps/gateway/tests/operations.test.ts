import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { restoreSampleGroups, restoreSampleProviders, restoreSampleWebhook, signInAs } from './support/people.ts';
import { callerOf, SAMPLE_STATUS, sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
// The operations under test delete these records.
beforeEach(async () => {
  await restoreSampleGroups(gateway.db, gateway.keys.teamId);
  await restoreSampleProviders(gateway.db, gateway.keys.teamId);
  await restoreSampleWebhook(gateway.db, gateway.keys.teamId);
  await gateway.restoreSlackApps();
});

type Operation = (typeof TABLE)[number][1];

/** A new person for each request, because some operations end their session. */
const newCaller = async (operation: Operation) =>
  callerOf(operation, await signInAs(gateway.db, gateway.keys.teamId, 'member'));

describe('every operation', () => {
  it.each(TABLE)('%s responds to a valid request in the envelope', async (_name, operation) => {
    const path = samplePath(operation.path, gateway.keys.teamId);
    const init = { ...sampleInit(operation.id), ...(await newCaller(operation)) };
    const response = await gateway.send(operation.method, path, init);
    expect(response.status).toBe(SAMPLE_STATUS[operation.id] ?? operation.success);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    if (operation.stream !== undefined || operation.lines !== undefined) return;
    expect(response.json.meta.requestId).toBe(response.headers.get('x-request-id'));
    expect(new Date(response.json.meta.timestamp).toISOString()).toBe(response.json.meta.timestamp);
    expect('error' in response.json).toBe(response.status >= 400);
  });

  it.each(TABLE.filter(([, { method }]) => method === 'get'))(
    '%s responds to HEAD without a body',
    async (_name, operation) => {
      const path = samplePath(operation.path, gateway.keys.teamId);
      const response = await gateway.send('HEAD', path, await newCaller(operation));
      expect(response.status).toBe(operation.success);
      expect(response.text).toBe('');
    },
  );
});
