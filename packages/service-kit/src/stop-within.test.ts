import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logging.ts';
import { graceMs, stopWithin } from './stop-within.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const never = new Promise<never>(() => undefined);

describe('a stop', () => {
  it('is over as soon as all parts have ended', async () => {
    const ended: string[] = [];
    const parts = ['calls', 'queue'].map(async (part) => void ended.push(part));
    await stopWithin(600_000, log, parts);
    expect(ended).toEqual(['calls', 'queue']);
  });

  it('waits for a part that does not end no longer than its time', async () => {
    await expect(stopWithin(20, log, [never])).resolves.toBeUndefined();
  });

  it('fails with a part that fails', async () => {
    await expect(stopWithin(600_000, log, [never, Promise.reject(new Error('broken'))])).rejects.toThrow('broken');
  });

  it('leaves time for what is aborted', () => {
    expect(graceMs(10_000)).toBe(9_000);
  });
});
