import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lectern/service-kit';
import { type TestNats, testNats, waitUntil } from '@lectern/testing';
import { z } from 'zod';
import { type Consumption, createMessaging, event, type Messaging, queue } from '#index';

const log = createLogger({ service: 'test', level: 'silent' });
const job = (name: string) =>
  queue({ name, schema: z.object({ n: z.number() }), ackWaitMs: 1_000, maxDeliveries: 3, backoffMs: [20] });
const ignore = async () => undefined;

let nats: TestNats;
let messaging: Messaging;
const consumptions: Consumption[] = [];

beforeEach(async () => {
  nats = await testNats();
  messaging = await createMessaging({ url: nats.url, name: 'test', log });
});

afterEach(async () => {
  await Promise.all(consumptions.splice(0).map((consumption) => consumption.stop(0)));
  await messaging.close();
  await nats.stop();
});

describe('a queue', () => {
  it('delivers each message to one consumer and stores the same id once', async () => {
    const work = job('once');
    const seen: number[] = [];
    for (const n of [1, 2, 3, 3, 2]) await messaging.enqueue(work, { n }, `id-${n}`);
    for (let i = 0; i < 2; i += 1) {
      const handler = async ({ n }: { n: number }) => void seen.push(n);
      consumptions.push(messaging.consume(work, handler, { concurrency: 2, onDead: ignore }));
    }
    await waitUntil(() => seen.length === 3, { what: 'three messages', timeoutMs: 10_000 });
    expect(seen.sort()).toEqual([1, 2, 3]);
  });

  it('retries a failed message until its last delivery', async () => {
    const work = job('dead');
    const attempts: number[] = [];
    const dead: string[] = [];
    await messaging.enqueue(work, { n: 1 }, 'a');
    consumptions.push(
      messaging.consume(
        work,
        async (_payload, { attempt }) => {
          attempts.push(attempt);
          throw new Error(`attempt ${attempt}`);
        },
        { concurrency: 1, onDead: async ({ n }, error) => void dead.push(`${n}: ${String(error)}`) },
      ),
    );
    await waitUntil(() => dead.length > 0, { what: 'the dead letter', timeoutMs: 10_000 });
    expect(attempts).toEqual([1, 2, 3]);
    expect(dead).toEqual(['1: Error: attempt 3']);
  });

  it('delivers a message to another worker only when the first one is gone', async () => {
    const work = job('long');
    const attempts: number[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await messaging.enqueue(work, { n: 1 }, 'a');
    const first = messaging.consume(
      work,
      async (_payload, { attempt, signal }) => {
        attempts.push(attempt);
        await Promise.race([released, new Promise((_, reject) => signal.addEventListener('abort', reject))]);
      },
      { concurrency: 1, onDead: ignore },
    );
    await waitUntil(() => attempts.length === 1, { what: 'the first delivery', timeoutMs: 10_000 });
    await first.stop(10);
    consumptions.push(
      messaging.consume(work, async (_payload, { attempt }) => void attempts.push(attempt), {
        concurrency: 1,
        onDead: ignore,
      }),
    );
    await waitUntil(() => attempts.length === 2, { what: 'the second delivery', timeoutMs: 10_000 });
    release();
    expect(attempts).toEqual([1, 2]);
  });

  it('continues after the server was killed or lost its data', async () => {
    const work = job('restart');
    const seen: number[] = [];
    consumptions.push(messaging.consume(work, async ({ n }) => void seen.push(n), { concurrency: 2, onDead: ignore }));
    await messaging.enqueue(work, { n: 1 }, 'a');
    await waitUntil(() => seen.includes(1), { what: 'the first message', timeoutMs: 10_000 });
    for (const [n, wipe] of [
      [2, false],
      [3, true],
    ] as const) {
      await nats.kill();
      await nats.restart({ wipe });
      await waitUntil(
        () =>
          messaging.enqueue(work, { n }, `r-${n}`).then(
            () => true,
            () => false,
          ),
        {
          what: 'the queue to accept work again',
          timeoutMs: 20_000,
        },
      );
      await waitUntil(() => seen.includes(n), { what: `message ${n}`, timeoutMs: 20_000 });
    }
    expect(new Set(seen)).toEqual(new Set([1, 2, 3]));
  });

  it('rejects work with unavailable while the server is down', async () => {
    await nats.kill();
    await expect(messaging.enqueue(job('away'), { n: 1 }, 'a')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('an event', () => {
  it('reaches only the subscribers of its key', async () => {
    const changed = event({
      prefix: 'test',
      name: 'changed',
      schema: z.object({ team: z.string(), n: z.number() }),
      key: ({ team }) => [team],
      keyLength: 1,
    });
    const seen: number[] = [];
    const all: number[] = [];
    const stop = messaging.listen(changed, ['a'], ({ n }) => seen.push(n));
    const stopAll = messaging.listen(changed, [], ({ n }) => all.push(n));
    messaging.announce(changed, { team: 'a', n: 1 });
    messaging.announce(changed, { team: 'b', n: 2 });
    messaging.announce(changed, { team: 'a', n: 3 });
    await waitUntil(() => all.length === 3, { what: 'three events', timeoutMs: 5_000 });
    stop();
    stopAll();
    expect(seen).toEqual([1, 3]);
  });
});
