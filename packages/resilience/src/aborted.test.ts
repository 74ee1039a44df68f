import { describe, expect, it } from '@jest/globals';
import { failureReason, orAborted } from '#aborted';

const never = new Promise<never>(() => undefined);

describe('orAborted', () => {
  it('returns the result if the promise settles first', async () => {
    expect(await orAborted(Promise.resolve(7), new AbortController().signal)).toBe(7);
  });

  it('rejects with the reason of the signal if it is aborted first', async () => {
    const abort = new AbortController();
    const result = orAborted(never, abort.signal);
    abort.abort(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
    await expect(orAborted(never, abort.signal)).rejects.toThrow('stopped');
  });
});

describe('failureReason', () => {
  it('is the reason of an aborted signal, else the error', () => {
    const error = new Error('broken pipe');
    const reason = new Error('stopped');
    expect(failureReason(error, new AbortController().signal)).toBe(error);
    expect(failureReason(error, AbortSignal.abort(reason))).toBe(reason);
  });
});
