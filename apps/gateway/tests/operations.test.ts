import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

describe('every operation', () => {
  it.each(TABLE)('%s responds to a valid request in the envelope', async (_name, operation) => {
    const path = samplePath(operation.path, gateway.keys.teamId);
    const response = await gateway.send(operation.method, path, sampleInit(operation.id));
    expect(response.status).toBe(operation.success);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    if (operation.stream !== undefined || operation.lines !== undefined) return;
    expect(response.json.meta.requestId).toBe(response.headers.get('x-request-id'));
    expect(new Date(response.json.meta.timestamp).toISOString()).toBe(response.json.meta.timestamp);
    expect(response.json).not.toHaveProperty('error');
  });

  it.each(TABLE.filter(([, { method }]) => method === 'get'))(
    '%s responds to HEAD without a body',
    async (_name, operation) => {
      const response = await gateway.send('HEAD', samplePath(operation.path, gateway.keys.teamId));
      expect(response.status).toBe(operation.success);
      expect(response.text).toBe('');
    },
  );
});
