import { canonicalTimeZone, type Issue } from '@lectern/service-kit';
import { Cron } from 'croner';
import { SCHEDULE_LIMITS } from '#schedules/limits';

/** When a schedule runs. */
export interface Timing {
  /** Five fields: minute, hour, day of the month, month, weekday. */
  readonly cron: string;
  /** An IANA time zone. */
  readonly timeZone: string;
}

/** What every cron knows. The library also knows seconds, years, `L`, `W` and `#`, which differ between programs. */
const FIELD = /^(?:[\d*,/-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)+$/i;

/** A library for timers, of which only the calculation is used. */
const parse = (cron: string, timezone: string): Cron => new Cron(cron, { mode: '5-part', paused: true, timezone });

/**
 * Returns the first time of a schedule after `after`. Undefined if there is none, as for February 30.
 *
 * Local times that clocks skip count as the first moment after the change, and times that they show
 * twice as the first one. A schedule whose hours or minutes are `*` or steps follows the clock instead.
 */
export const nextSlot = ({ cron, timeZone }: Timing, after: Date): Date | undefined =>
  parse(cron, timeZone).nextRun(after) ?? undefined;

/** Returns the smallest number of minutes between two times on a day, or from one day to the next. */
function smallestGap(cron: string): number {
  const [minute = '*', hour = '*'] = cron.split(' ');
  const daily = parse(`${minute} ${hour} * * *`, 'UTC');
  // From the last time of one day to the same time of the next one.
  let last = daily.nextRun(new Date(0)) ?? new Date(0);
  const end = last.getTime() + DAY_MS;
  let smallest = DAY_MS / MINUTE_MS;
  while (last.getTime() < end && smallest >= SCHEDULE_LIMITS.minutes) {
    const next = daily.nextRun(last);
    if (next === null) break;
    smallest = Math.min(smallest, (next.getTime() - last.getTime()) / MINUTE_MS);
    last = next;
  }
  return smallest;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns the cron expression with single spaces. */
const normalCron = (cron: string): string => cron.trim().split(/\s+/).join(' ');

/** Returns what is wrong with a cron expression. */
function cronProblem(cron: string): string | undefined {
  const fields = cron.split(' ');
  if (cron.length > SCHEDULE_LIMITS.cron) return `must have at most ${SCHEDULE_LIMITS.cron} characters`;
  if (fields.length !== 5) {
    return 'must have five fields: minute, hour, day of the month, month, weekday. For example 0 7 * * 1-5';
  }
  const unknown = fields.find((field) => !FIELD.test(field));
  if (unknown !== undefined) return `must consist of numbers, names, * , - and /, not ${unknown}`;
  try {
    if (smallestGap(cron) < SCHEDULE_LIMITS.minutes) {
      return `must leave at least ${SCHEDULE_LIMITS.minutes} minutes between two runs`;
    }
    return parse(cron, 'UTC').nextRun() === null ? 'must have a next run: no such day exists' : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it is malformed';
    return `must be a cron expression (${reason})`;
  }
}

/** Checks a timing. Returns it in its stored form, or what is wrong. */
export function checkTiming({ cron: text, timeZone: named }: Timing): {
  readonly timing: Timing;
  readonly issues: Issue[];
} {
  const issues: Issue[] = [];
  const timeZone = named.length > SCHEDULE_LIMITS.timeZone ? undefined : canonicalTimeZone(named);
  if (timeZone === undefined || /^[+-]/.test(named)) {
    issues.push({ path: 'timeZone', message: 'must be an IANA time zone, for example Europe/Berlin' });
  }
  const cron = normalCron(text);
  const problem = cronProblem(cron);
  if (problem !== undefined) issues.push({ path: 'cron', message: problem });
  return { timing: { cron, timeZone: timeZone ?? named }, issues };
}
