import { describe, expect, it } from '@jest/globals';
import { speedTexts } from '#pages/models/speed-texts.ts';

describe('speedTexts', () => {
  it.each([
    [11.4, true, '11 passages per second', 'About 15 minutes'],
    [0.6, false, '0.6 passages per second (estimated)', 'About 5 hours'],
    [1, true, '1 passage per second', 'About 3 hours'],
    [5_000, true, '5,000 passages per second', 'About 1 minute'],
    [null, false, 'Depends on the provider', undefined],
  ])('formats %s', (passagesPerSecond, isMeasured, speed, duration) => {
    expect(speedTexts({ passagesPerSecond, isMeasured })).toEqual({ speed, duration });
  });
});
