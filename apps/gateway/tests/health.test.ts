import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { expectError } from './support/expect-error.ts';
import { startTestGateway } from './support/gateway.ts';

describe('health', () => {
  it('needs no key, and names the services that are not ready', async () => {
    const gateway = await startTestGateway({ CHAT_ADDRESS: '127.0.0.1:1' });
    try {
      const alive = await gateway.send('GET', '/healthz', { key: null });
      expect([alive.status, alive.json.data]).toEqual([200, { status: 'ok' }]);
      const oneDown = await gateway.send('GET', '/readyz', { key: null });
      expectError(oneDown, 503, 'unavailable', 'chat');
      expect(oneDown.json.error.details).toEqual({ notReady: ['chat'] });
      await gateway.services.stop();
      // The previous result is reused for a second.
      await waitUntil(
        async () => {
          const allDown = await gateway.send('GET', '/readyz', { key: null });
          return allDown.json.error.details.notReady.length > 1;
        },
        { what: 'every service to be reported as not ready', timeoutMs: 10_000 },
      );
      const allDown = await gateway.send('GET', '/readyz', { key: null });
      expect(allDown.json.error.details.notReady).toEqual(['search', 'chat', 'agent', 'collection', 'connector']);
    } finally {
      await gateway.stop();
    }
  });

  it('is ready when the database and all services are', async () => {
    const gateway = await startTestGateway();
    try {
      const ready = await gateway.send('GET', '/readyz', { key: null });
      expect([ready.status, ready.json.data]).toEqual([200, { status: 'ready' }]);
    } finally {
      await gateway.stop();
    }
  });
});
