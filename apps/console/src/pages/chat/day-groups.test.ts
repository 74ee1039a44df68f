import { expect, it } from '@jest/globals';
import { groupByDay } from '#pages/chat/day-groups.ts';

const at = (year: number, month: number, day: number, hour: number) => ({
  updatedAt: new Date(year, month - 1, day, hour).toISOString(),
});

it('groups by the day in the local time zone', () => {
  const items = [at(2026, 3, 1, 23), at(2026, 3, 1, 0), at(2026, 2, 28, 23), at(2026, 2, 3, 9), at(2025, 12, 31, 9)];
  const groups = groupByDay(items, new Date(2026, 2, 1, 12));
  expect(groups.map(({ day, items: inDay }) => [day, inDay.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['Tuesday, February 3', 1],
    ['Wednesday, December 31, 2025', 1],
  ]);
});

it('groups nothing', () => {
  expect(groupByDay([])).toEqual([]);
});
