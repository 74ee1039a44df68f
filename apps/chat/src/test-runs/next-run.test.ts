import { describe, expect, it } from '@jest/globals';
import { canonicalTimeZone } from '@lectern/service-kit';
import fc from 'fast-check';
import { nextRun } from '#test-runs/next-run';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const next = (after: string, time: string, timeZone: string, weekday: number | null = null) =>
  nextRun({ weekday, time, timeZone }, new Date(after)).toISOString();

/** What clocks in a zone show, for example `2026-03-29 03:30 Sun`. */
function shown(at: Date, timeZone: string): { date: string; time: string; weekday: string } {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, ...options }).format(at);
  return {
    date: format({ dateStyle: 'short' }),
    time: format({ timeStyle: 'short' }),
    weekday: new Intl.DateTimeFormat('en', { timeZone, weekday: 'long' }).format(at),
  };
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'America/Havana',
  'Pacific/Apia',
);
const times = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });

describe('the next run', () => {
  it.each([
    ['later today', '2026-01-05T05:00:00Z', '07:00', 'Europe/Berlin', '2026-01-05T06:00:00.000Z'],
    ['tomorrow if the time has passed', '2026-01-05T06:00:00Z', '07:00', 'Europe/Berlin', '2026-01-06T06:00:00.000Z'],
    ['an hour earlier in summer', '2026-07-05T12:00:00Z', '07:00', 'Europe/Berlin', '2026-07-06T05:00:00.000Z'],
    ['after a skipped time', '2026-03-28T12:00:00Z', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['at the first of two equal times', '2026-10-24T12:00:00Z', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['not again at the second', '2026-10-25T00:30:00Z', '02:30', 'Europe/Berlin', '2026-10-26T01:30:00.000Z'],
    ['after a skipped midnight', '2026-03-07T12:00:00Z', '00:30', 'America/Havana', '2026-03-08T05:30:00.000Z'],
  ])('is %s', (_name, after, time, zone, expected) => {
    expect(next(after, time, zone)).toBe(expected);
  });

  it('is on the weekday of the place, not of UTC', () => {
    expect(next('2026-01-05T12:00:00Z', '08:00', 'Asia/Tokyo', 2)).toBe('2026-01-05T23:00:00.000Z');
    expect(next('2026-01-05T23:00:00Z', '08:00', 'Asia/Tokyo', 2)).toBe('2026-01-12T23:00:00.000Z');
  });

  it('is later, at the local time unless clocks skip it, and on the weekday', () => {
    fc.assert(
      fc.property(
        zones,
        times,
        instants,
        fc.option(fc.integer({ min: 1, max: 7 }), { nil: null }),
        (timeZone, time, after, weekday) => {
          const at = nextRun({ weekday, time, timeZone }, after);
          expect(at.getTime()).toBeGreaterThan(after.getTime());
          expect(at.getTime() - after.getTime()).toBeLessThanOrEqual((weekday === null ? 2 : 9) * DAY_MS);
          const local = shown(at, timeZone);
          if (local.time !== time) {
            // Skipped: the clocks went from before the time to after it.
            const before = shown(new Date(at.getTime() - 26 * HOUR_MS), timeZone);
            expect(before.date < local.date || before.time < time).toBe(true);
            expect(offset(at, timeZone)).toBeGreaterThan(offset(new Date(at.getTime() - DAY_MS), timeZone));
          } else if (weekday !== null && timeZone !== 'Pacific/Apia') {
            expect(local.weekday).toBe(WEEKDAYS[weekday - 1]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('comes once on each day, across changes of the clocks', () => {
    fc.assert(
      fc.property(zones, times, instants, (timeZone, time, start) => {
        const dates: string[] = [];
        let at = start;
        for (let run = 0; run < 8; run += 1) {
          at = nextRun({ weekday: null, time, timeZone }, at);
          dates.push(shown(at, timeZone).date);
        }
        expect(new Set(dates).size).toBe(dates.length);
        const days = (Date.parse(dates.at(-1) ?? '') - Date.parse(dates[0] ?? '')) / DAY_MS;
        // Samoa skipped 2011-12-30.
        expect(days).toBe(timeZone === 'Pacific/Apia' && dates.includes('2011-12-31') && days === 8 ? 8 : 7);
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on when it is computed between two runs', () => {
    fc.assert(
      fc.property(
        zones,
        times,
        instants,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (timeZone, time, after, share) => {
          const schedule = { weekday: null, time, timeZone };
          const at = nextRun(schedule, after);
          const between = new Date(after.getTime() + Math.floor((at.getTime() - after.getTime()) * share));
          expect(nextRun(schedule, between)).toEqual(at);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('needs a known time zone', () => {
    expect(canonicalTimeZone('europe/berlin')).toBe('Europe/Berlin');
    expect(canonicalTimeZone('Mars/Olympus')).toBeUndefined();
  });
});

function offset(at: Date, timeZone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name ?? '') ?? [];
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}
