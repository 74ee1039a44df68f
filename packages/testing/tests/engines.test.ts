import { describe, expect, it } from '@jest/globals';
import { testDatabase, testNats, testQdrant } from '#index';

describe('the engines for tests', () => {
  it('give each test its own database', async () => {
    const [first, second] = await Promise.all([testDatabase(), testDatabase()]);
    expect(first.url).not.toBe(second.url);
    await Promise.all([first.drop(), second.drop()]);
  });

  it('let a test kill and restart NATS at the same address', async () => {
    const nats = await testNats();
    await nats.kill();
    await nats.restart({ wipe: true });
    await nats.stop();
    expect(nats.url).toMatch(/^nats:\/\/127\.0\.0\.1:\d+$/);
  });

  it('start a vector store', async () => {
    const qdrant = await testQdrant();
    const answer = await fetch(`${qdrant.url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    expect(answer.status).toBe(200);
    await qdrant.stop();
  });
});
