const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** When runs start: every day, or on one weekday, at a local time. */
export interface LocalSchedule {
  /** 1 (Monday) to 7. Null for every day. */
  readonly weekday: number | null;
  /** `HH:MM`. */
  readonly time: string;
  /** An IANA time zone. */
  readonly timeZone: string;
}

/** Clocks are set at most once in this time around an instant, so an offset before and one after are enough. */
const AROUND_MS = 36 * HOUR_MS;
/** Longer than the time between two runs, even if a time zone skips a day. */
const MAX_DAYS = 9;

/** Returns the first time of the schedule after `after`. Throws `RangeError` for an unknown time zone. */
export function nextRun(schedule: LocalSchedule, after: Date): Date {
  const clock = localClock(schedule.timeZone);
  const [hours = 0, minutes = 0] = schedule.time.split(':').map(Number);
  const today = Math.floor(clock(after.getTime()) / DAY_MS) * DAY_MS;
  // Yesterday's time can be later than now if the clock was set forward past midnight.
  for (let day = -1; day <= MAX_DAYS; day += 1) {
    const midnight = today + day * DAY_MS;
    // 1970-01-01 was a Thursday.
    const weekday = ((((midnight / DAY_MS + 3) % 7) + 7) % 7) + 1;
    if (schedule.weekday !== null && weekday !== schedule.weekday) continue;
    const at = instantOf(clock, midnight + hours * HOUR_MS + minutes * 60_000);
    if (at > after.getTime()) return new Date(at);
  }
  throw new RangeError(`no time of the schedule within ${MAX_DAYS} days`);
}

/**
 * Returns the instant at which the clocks show a local time, given as if it were UTC. If they show it
 * twice, returns the first. If they skip it, they are read as before the change, so 02:30 means 03:30.
 */
function instantOf(clock: (at: number) => number, local: number): number {
  const offsets = [local - AROUND_MS, local + AROUND_MS].map((at) => clock(at) - at);
  const candidates = offsets.map((offset) => local - offset).toSorted((a, b) => a - b);
  return candidates.find((at) => clock(at) === local) ?? local - (offsets[0] ?? 0);
}

/** Returns a function from an instant to the time that clocks of a zone show, given as if it were UTC. */
function localClock(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const whole = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return whole + (at - Math.floor(at / 1_000) * 1_000);
  };
}
