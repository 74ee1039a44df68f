import { describe, expect, it } from '@jest/globals';
import { createLogger } from '#logging';
import { graceMs, stopWithin } from '#stop-within';

const log = createLogger({ service: 'test', level: 'silent' });
const never = new Promise<never>(() => undefined);

describe('stopWithin', () => {
  it('ends when all parts have stopped', async () => {
    const ended: string[] = [];
    const parts = ['calls', 'queue'].map(async (part) => void ended.push(part));
    await stopWithin(600_000, log, parts);
    expect(ended).toEqual(['calls', 'queue']);
  });

  it('stops waiting after the timeout', async () => {
    await expect(stopWithin(20, log, [never])).resolves.toBeUndefined();
  });

  it('fails if a part fails', async () => {
    await expect(stopWithin(600_000, log, [never, Promise.reject(new Error('broken'))])).rejects.toThrow('broken');
  });

  it('leaves time for aborted work', () => {
    expect(graceMs(10_000)).toBe(9_000);
  });
});
