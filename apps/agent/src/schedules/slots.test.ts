import { describe, expect, it } from '@jest/globals';
import { runCount } from '@lectern/testing';
import fc from 'fast-check';
import { checkTiming, nextSlot, type Timing } from '#schedules/slots';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/Havana',
  'America/Santiago',
];

const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    }),
  ]),
);

/** What clocks in a zone show, as milliseconds as if it were UTC. */
function shown(at: number, timeZone: string): number {
  const parts = new Map(
    formats
      .get(timeZone)!
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name)!;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
}

/** A field of a cron expression, with the numbers that it means. */
interface Field {
  readonly text: string;
  readonly numbers: ReadonlySet<number>;
  readonly isStar: boolean;
}

const range = (min: number, max: number, step = 1) =>
  Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, at) => min + at * step);

const field = (min: number, max: number): fc.Arbitrary<Field> => {
  const number = fc.integer({ min, max });
  return fc.oneof(
    fc.constant({ text: '*', numbers: new Set(range(min, max)), isStar: true }),
    fc.integer({ min: 2, max: Math.min(12, max) }).map((step) => ({
      text: `*/${step}`,
      numbers: new Set(range(min, max, step)),
      isStar: true,
    })),
    fc.tuple(number, number).map(([a, b]) => ({
      text: `${Math.min(a, b)}-${Math.max(a, b)}`,
      numbers: new Set(range(Math.min(a, b), Math.max(a, b))),
      isStar: false,
    })),
    fc.uniqueArray(number, { minLength: 1, maxLength: 3 }).map((list) => ({
      text: list.join(','),
      numbers: new Set(list),
      isStar: false,
    })),
  );
};

interface Pattern {
  readonly cron: string;
  readonly fields: readonly [Field, Field, Field, Field, Field];
}

const patterns: fc.Arbitrary<Pattern> = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6))
  .map((fields) => ({ cron: fields.map(({ text }) => text).join(' '), fields }));

/** True if a local minute matches a pattern: each field, and one of the two days if both are restricted. */
function matches({ fields: [minute, hour, day, month, weekday] }: Pattern, local: number): boolean {
  const at = new Date(local);
  if (!minute.numbers.has(at.getUTCMinutes()) || !hour.numbers.has(at.getUTCHours())) return false;
  if (!month.numbers.has(at.getUTCMonth() + 1)) return false;
  const isDay = day.numbers.has(at.getUTCDate());
  const isWeekday = weekday.numbers.has(at.getUTCDay());
  return day.text === '*' || weekday.text === '*' ? isDay && isWeekday : isDay || isWeekday;
}

/** All slots in a time, minute by minute. */
function bruteForce(pattern: Pattern, timeZone: string, from: number, to: number): number[] {
  const followsClock = pattern.fields[0].isStar || pattern.fields[1].isStar;
  const slots: number[] = [];
  const seen = new Set<number>();
  let before = shown(from, timeZone);
  for (let at = from + MINUTE_MS; at <= to; at += MINUTE_MS) {
    const local = shown(at, timeZone);
    let isSlot = matches(pattern, local) && (followsClock || !seen.has(local));
    // Local times that the clocks skip, for a fixed time.
    for (let skipped = before + MINUTE_MS; skipped < local && !followsClock; skipped += MINUTE_MS) {
      isSlot ||= matches(pattern, skipped);
    }
    if (isSlot) slots.push(at);
    seen.add(local);
    before = local;
  }
  return slots;
}

/** Days around which clocks change somewhere, and others. */
const starts = fc
  .tuple(
    fc.constantFrom(
      '2026-03-07',
      '2026-03-28',
      '2026-04-04',
      '2026-09-05',
      '2026-09-26',
      '2026-10-03',
      '2026-10-24',
      '2026-10-31',
      '2026-12-30',
      '2028-02-27',
    ),
    fc.integer({ min: 0, max: 2 * 24 * 60 - 1 }),
  )
  .map(([day, minutes]) => Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS);

const nextSlots = (timing: Timing, from: number, to: number): number[] => {
  const slots: number[] = [];
  for (let at = nextSlot(timing, new Date(from)); at !== undefined && at.getTime() <= to; at = nextSlot(timing, at)) {
    slots.push(at.getTime());
  }
  return slots;
};

describe('the times of a schedule', () => {
  it('are those that clocks in the zone show, also when they change', () => {
    fc.assert(
      fc.property(patterns, fc.constantFrom(...ZONES), starts, (pattern, timeZone, start) => {
        const end = start + 2 * DAY_MS;
        // The reference must know what clocks showed before.
        const expected = bruteForce(pattern, timeZone, start - 4 * HOUR_MS, end).filter((at) => at > start);
        expect(nextSlots({ cron: pattern.cron, timeZone }, start, end).map((at) => new Date(at).toISOString())).toEqual(
          expected.map((at) => new Date(at).toISOString()),
        );
      }),
      { numRuns: runCount({ quick: 60, full: 2_000 }) },
    );
  });

  it.each([
    ['*/15 * * * *', []],
    ['0,15 9 * * *', []],
    ['  0  7 * *  mon-FRI ', []],
    ['0,14 9 * * *', ['cron']],
    ['50 23 * * *', []],
    ['0 0,23 * * *', []],
    ['55 23 * * 1,2', []],
    ['0,50 * * * *', ['cron']],
    ['* * * * *', ['cron']],
    ['0 7 * *', ['cron']],
    ['0 0 7 * * *', ['cron']],
    ['@daily', ['cron']],
    ['0 7 L * *', ['cron']],
    ['0 7 * * 1#2', ['cron']],
    ['0 7 30 2 *', ['cron']],
    ['61 7 * * *', ['cron']],
    ['', ['cron']],
  ])('%j has the issues %j', (cron, expected) => {
    expect(checkTiming({ cron, timeZone: 'Europe/Berlin' }).issues.map(({ path }) => path)).toEqual(expected);
  });

  it.each(['Mars/Olympus', '', '+02:00', 'x'.repeat(10_000)])(
    'need a time zone of the IANA database: %.20s',
    (zone) => {
      expect(checkTiming({ cron: '0 7 * * *', timeZone: zone }).issues.map(({ path }) => path)).toEqual(['timeZone']);
    },
  );

  it('are never closer than the least interval, whatever is accepted', () => {
    fc.assert(
      fc.property(patterns, ({ cron }) => {
        const { timing, issues } = checkTiming({ cron, timeZone: 'UTC' });
        const start = Date.parse('2026-06-01T00:00:00Z');
        const slots = nextSlots({ cron, timeZone: 'UTC' }, start, start + 3 * DAY_MS);
        const gaps = slots.slice(1).map((at, index) => at - (slots[index] ?? 0));
        if (issues.length === 0) expect(Math.min(DAY_MS, ...gaps)).toBeGreaterThanOrEqual(15 * MINUTE_MS);
        expect(timing.cron).toBe(cron);
      }),
      { numRuns: runCount({ quick: 60, full: 2_000 }) },
    );
  });

  it('never throw for other texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (cron) => {
        expect(checkTiming({ cron, timeZone: 'UTC' }).issues.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
