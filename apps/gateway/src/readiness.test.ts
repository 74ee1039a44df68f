import { describe, expect, it } from '@jest/globals';
import { type Checked, createReadiness } from '#readiness';

describe('readiness', () => {
  it('is checked once for all requests within a second', async () => {
    let now = 0;
    let checks = 0;
    let finish = (_parts: readonly string[]) => {};
    const readiness = createReadiness(
      {} as Checked,
      () => {
        checks += 1;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      () => now,
    );
    const first = [readiness(), readiness()];
    now = 5_000;
    first.push(readiness());
    finish(['chat']);
    expect(await Promise.all(first)).toEqual([['chat'], ['chat'], ['chat']]);
    now += 999;
    expect([await readiness(), checks]).toEqual([['chat'], 1]);
    now += 1;
    const later = readiness();
    finish([]);
    expect([await later, checks]).toEqual([[], 2]);
  });
});
