import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { joinSignals } from './join-signals.ts';

describe('joined signals', () => {
  it('abort with the reason of the first that is aborted', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    using joined = joinSignals(one.signal, other.signal);
    expect(joined.signal.aborted).toBe(false);
    other.abort(new Error('enough'));
    one.abort(new Error('later'));
    expect(joined.signal.reason).toEqual(new Error('enough'));
  });

  it('are aborted at once where one is already', () => {
    using joined = joinSignals(new AbortController().signal, AbortSignal.abort(new Error('before')));
    expect(joined.signal.reason).toEqual(new Error('before'));
  });

  it('leave nothing with a signal that lives on', () => {
    const { signal } = new AbortController();
    {
      using joined = joinSignals(signal, new AbortController().signal);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      expect(joined.signal.aborted).toBe(false);
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
