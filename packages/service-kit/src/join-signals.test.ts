import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { joinSignals } from '#join-signals';

describe('joinSignals', () => {
  it('aborts with the reason of the first aborted signal', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    using joined = joinSignals(one.signal, other.signal);
    expect(joined.signal.aborted).toBe(false);
    other.abort(new Error('enough'));
    one.abort(new Error('later'));
    expect(joined.signal.reason).toEqual(new Error('enough'));
  });

  it('aborts immediately if a signal is already aborted', () => {
    using joined = joinSignals(new AbortController().signal, AbortSignal.abort(new Error('before')));
    expect(joined.signal.reason).toEqual(new Error('before'));
  });

  it('leaves no listener on a signal after disposal', () => {
    const { signal } = new AbortController();
    {
      using joined = joinSignals(signal, new AbortController().signal);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      expect(joined.signal.aborted).toBe(false);
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
