import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { runAhead } from '#turn/run-ahead';

const noFailure = (error: unknown) => {
  throw error;
};

/** Counts to `count`, then sets `ended`. */
function counter(count: number) {
  const state = { count: 0, ended: false };
  async function* run() {
    for (let at = 1; at <= count; at += 1) {
      state.count = at;
      yield at;
      await turn();
    }
    state.ended = true;
  }
  return { state, events: run() };
}

describe('runAhead', () => {
  it('yields every event in order', async () => {
    const { events } = runAhead(counter(100).events, 8, noFailure);
    const seen: number[] = [];
    for await (const event of events) seen.push(event);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });

  it('finishes after the reader has left', async () => {
    const { state, events } = counter(50);
    const ahead = runAhead(events, 4, noFailure);
    await ahead.events.next();
    await ahead.events.return();
    await ahead.finished;
    expect(state.ended).toBe(true);
  });

  it('waits for a slow reader', async () => {
    const { state, events } = counter(50);
    const ahead = runAhead(events, 4, noFailure);
    await ahead.events.next();
    for (let at = 0; at < 20; at += 1) await turn();
    expect(state.count).toBeLessThanOrEqual(8);
    await ahead.events.return();
    await ahead.finished;
  });

  it('throws a failure after the events before it', async () => {
    const failing = async function* () {
      yield 1;
      throw new Error('broken');
    };
    const { events } = runAhead(failing(), 4, noFailure);
    expect((await events.next()).value).toBe(1);
    await expect(events.next()).rejects.toThrow('broken');
  });

  it('reports a failure after the reader has left', async () => {
    const gate = Promise.withResolvers<void>();
    const lost: unknown[] = [];
    const failing = async function* () {
      yield 1;
      await gate.promise;
      throw new Error('broken');
    };
    const ahead = runAhead(failing(), 4, (error) => lost.push(error));
    await ahead.events.next();
    await ahead.events.return();
    gate.resolve();
    await ahead.finished;
    expect(lost).toHaveLength(1);
  });
});
