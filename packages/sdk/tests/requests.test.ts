import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Lectern } from '../src/index.ts';
import { startServer, type TestServer } from './support/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

describe('requests that are equal and leave at once', () => {
  it('are signed each at a time of its own, so that none passes for a replay', async () => {
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x', sign: true });
    await Promise.all(Array.from({ length: 20 }, () => lectern.collections.create({ name: 'Handbook' })));
    const signatures = server.seen.map(({ headers }) => headers['x-service-signature']);
    expect(new Set(signatures).size).toBe(20);
  });
});
