import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDue, type LastTraining, type TrainingState } from '#spaces/is-due';

/** A training that began at 0 and took a second. */
const trainedOn = (passages: number): LastTraining => ({ passages, beganAt: 0, readyAt: 1_000, isOutdated: false });

/** A corpus at rest, long after its last training. */
const state = (passages: number, added: number, fields: Partial<TrainingState> = {}): TrainingState => ({
  size: { passages, added, outdated: 0 },
  previous: { passages, added, outdated: 0 },
  last: undefined,
  minimum: 30,
  growth: 1.25,
  now: 60_000,
  ...fields,
});

describe('isDue', () => {
  it('is true once the corpus is large enough', () => {
    expect(isDue(state(29, 29))).toBe(false);
    expect(isDue(state(30, 30))).toBe(true);
  });

  it('is true again once a quarter of the corpus was added', () => {
    expect(isDue(state(1_249, 249, { last: trainedOn(1_000) }))).toBe(false);
    expect(isDue(state(1_250, 250, { last: trainedOn(1_000) }))).toBe(true);
    expect(isDue(state(3_252, 894, { last: trainedOn(2_358) }))).toBe(true);
  });

  it('counts deleted and replaced passages', () => {
    expect(isDue(state(750, 0, { last: trainedOn(1_000) }))).toBe(true);
    expect(isDue(state(900, 100, { last: trainedOn(1_000) }))).toBe(true);
    // Replaced: the same number, half of it added and half of it deleted.
    expect(isDue(state(1_000, 124, { last: trainedOn(1_000) }))).toBe(false);
    expect(isDue(state(1_000, 125, { last: trainedOn(1_000) }))).toBe(true);
    // The corpus has shrunk below the minimum.
    expect(isDue(state(29, 0, { last: trainedOn(1_000) }))).toBe(false);
  });

  it('is false while the corpus is being filled, up to a limit', () => {
    const filling = (passages: number, before: number, fields: Partial<TrainingState> = {}) =>
      isDue(state(passages, passages, { previous: { passages: before, added: before, outdated: 0 }, ...fields }));
    expect(filling(400, 397)).toBe(false);
    expect(filling(400, 398)).toBe(true);
    expect(filling(10_000, 9_989, { minimum: 9_000 })).toBe(false);
    expect(filling(10_000, 9_990, { minimum: 9_000 })).toBe(true);
    expect(isDue(state(400, 400, { previous: undefined }))).toBe(false);
    expect(filling(30 * 16, 100)).toBe(true);
    // Replacing documents is filling too, though their number does not change.
    expect(
      isDue(state(1_000, 300, { previous: { passages: 1_000, added: 290, outdated: 0 }, last: trainedOn(1_000) })),
    ).toBe(false);
  });

  it('leaves a pause of five trainings between two', () => {
    const slow = { passages: 100, beganAt: 0, readyAt: 20_000, isOutdated: false };
    expect(isDue(state(200, 100, { last: slow, now: 119_999 }))).toBe(false);
    expect(isDue(state(200, 100, { last: slow, now: 120_000 }))).toBe(true);
    const retried = { passages: 100, beganAt: 0, readyAt: 24 * 3_600_000, isOutdated: false };
    expect(isDue(state(200, 100, { last: retried, now: 25 * 3_600_000 }))).toBe(true);
  });

  it('is true once the words of nearly all passages follow newer analysis rules than the space', () => {
    const last = { ...trainedOn(1_000), isOutdated: true };
    const refreshing = (outdated: number) => state(1_000, 0, { size: { passages: 1_000, added: 0, outdated }, last });
    expect(isDue(refreshing(1_000))).toBe(false);
    expect(isDue(refreshing(11))).toBe(false);
    expect(isDue(refreshing(10))).toBe(true);
    expect(isDue(state(1_000, 0, { last: trainedOn(1_000) }))).toBe(false);
  });

  it('always becomes true for a corpus at rest that changed enough, and never for an unchanged one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 100_000 }), fc.integer({ min: 0, max: 100_000 }), (trained, added) => {
        const grown = state(trained + added, added, { last: trainedOn(trained), now: Number.MAX_SAFE_INTEGER });
        expect(isDue(grown)).toBe(added >= trained * 0.25);
      }),
    );
  });
});
