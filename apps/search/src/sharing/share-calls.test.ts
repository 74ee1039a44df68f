import { describe, expect, it } from '@jest/globals';
import { shareCalls } from '#sharing/share-calls';

/** Calls that end on demand, each returning its number. */
function createCalls() {
  const pending: PromiseWithResolvers<number>[] = [];
  const call = (): Promise<number> => {
    pending.push(Promise.withResolvers<number>());
    return (pending.at(-1) as PromiseWithResolvers<number>).promise;
  };
  return { pending, call };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('shareCalls', () => {
  it('shares the next call among all requests that arrive during a call', async () => {
    const { pending, call } = createCalls();
    const share = shareCalls<number>();
    const first = share('a', call);
    const late = [share('a', call), share('a', call)];
    expect(pending).toHaveLength(1);
    pending[0]?.resolve(1);
    expect(await first).toBe(1);
    await settled();
    expect(pending).toHaveLength(2);
    const later = share('a', call);
    pending[1]?.resolve(2);
    expect(await Promise.all(late)).toEqual([2, 2]);
    await settled();
    pending[2]?.resolve(3);
    expect(await later).toBe(3);
  });

  it('keeps no result after a call', async () => {
    const { pending, call } = createCalls();
    const share = shareCalls<number>();
    for (const number of [1, 2]) {
      const answer = share('a', call);
      pending.at(-1)?.resolve(number);
      expect(await answer).toBe(number);
      await settled();
    }
    expect(pending).toHaveLength(2);
  });

  it('continues after a failed call, which only earlier requests see', async () => {
    const { pending, call } = createCalls();
    const share = shareCalls<number>();
    const failing = share('a', call);
    const waiting = share('a', call);
    pending[0]?.reject(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    await settled();
    pending[1]?.resolve(2);
    expect(await waiting).toBe(2);
  });

  it('keeps different keys apart', async () => {
    const { pending, call } = createCalls();
    const share = shareCalls<number>();
    const answers = [share('a', call), share('b', call)];
    expect(pending).toHaveLength(2);
    pending.forEach((one, at) => {
      one.resolve(at);
    });
    expect(await Promise.all(answers)).toEqual([0, 1]);
  });
});
