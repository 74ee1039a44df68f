import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

describe('every operation', () => {
  it.each(TABLE)('%s answers a good request in the envelope', async (_name, operation) => {
    const path = samplePath(operation.path, gateway.keys.teamId);
    const answer = await gateway.send(operation.method, path, sampleInit(operation.id));
    expect(answer.status).toBe(operation.success);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    if (operation.stream !== undefined) return;
    expect(answer.json.meta.requestId).toBe(answer.headers.get('x-request-id'));
    expect(new Date(answer.json.meta.timestamp).toISOString()).toBe(answer.json.meta.timestamp);
    expect(answer.json).not.toHaveProperty('error');
  });

  it.each(TABLE.filter(([, { method }]) => method === 'get'))(
    '%s answers HEAD without a body',
    async (_name, operation) => {
      const answer = await gateway.send('HEAD', samplePath(operation.path, gateway.keys.teamId));
      expect(answer.status).toBe(operation.success);
      expect(answer.text).toBe('');
    },
  );
});
