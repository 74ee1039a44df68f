import type { UpdateScheduleRequest } from '@lectern/contracts';
import { notFound, requireRevision, type ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import type { Schedule } from '#gen/prisma/client';
import { checkScheduleFields } from '#schedules/check-fields';
import { ownerOf } from '#schedules/owner';
import { cancelQueuedRuns, databaseTime, lockSchedule, nextTime } from '#schedules/run-store';
import { readSchedule, scheduleRevision, toOneSchedule } from '#schedules/schedule-rows';
import { checkTiming } from '#schedules/slots';
import { checkTargets } from '#schedules/targets';

type Changes = Omit<UpdateScheduleRequest, 'agentId' | 'id' | 'precondition'>;

/** True if a change only disables a schedule: it still belongs to its owner. */
const onlyDisables = ({ enabled, ...others }: Changes): boolean =>
  enabled === false && Object.values(others).every((value) => value === undefined);

const isEmpty = (changes: Changes): boolean => Object.values(changes).every((value) => value === undefined);

/** Returns the time of the next run: a new one if the timing changes or the schedule was disabled. */
function nextOf(before: Schedule, after: Pick<Schedule, 'cron' | 'timeZone' | 'enabled'>, now: Date): Date | null {
  if (!after.enabled) return null;
  const isSame = before.enabled && before.cron === after.cron && before.timeZone === after.timeZone;
  return isSame ? before.nextAt : nextTime(after, now);
}

/**
 * Changes the given fields. The caller becomes the owner: otherwise, a change of the message or of the
 * targets would send somebody what only the owner may read.
 */
export const updateSchedule = (context: Context) => async (request: UpdateScheduleRequest, call: ServiceCall) => {
  const { db } = context;
  const { agentId, id, precondition, ...changes } = request;
  const { name, message, enabled, cron, timeZone } = changes;
  const targets = changes.targets && checkTargets(changes.targets.values);
  await readAgent(context, call, agentId);
  await readSchedule(db, call.caller, agentId, id);
  const schedule = await db.$transaction(async (tx) => {
    const before = await lockSchedule(tx, id);
    if (before === null) throw notFound('schedule', id);
    requireRevision(precondition, scheduleRevision(before));
    if (isEmpty(changes)) return before;
    // The stored values count as valid, also if a later version would reject them.
    const retimed = cron !== undefined || timeZone !== undefined;
    const checked = checkTiming({ cron: cron ?? before.cron, timeZone: timeZone ?? before.timeZone });
    checkScheduleFields({ name, message }, retimed ? checked.issues : []);
    const { cron: newCron, timeZone: newZone } = retimed ? checked.timing : before;
    const now = await databaseTime(tx);
    const after = { cron: newCron, timeZone: newZone, enabled: enabled ?? before.enabled };
    const isReset = enabled === true && !before.enabled;
    if (enabled === false) await cancelQueuedRuns(tx, id, now);
    return tx.schedule.update({
      where: { id },
      data: {
        ...after,
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(message === undefined ? {} : { message }),
        ...(targets === undefined ? {} : { targets: [...targets] }),
        ...(onlyDisables(changes) ? {} : ownerOf(call.caller)),
        ...(isReset ? { failures: 0, pausedReason: null, pausedMessage: null } : {}),
        nextAt: nextOf(before, after, now),
      },
    });
  });
  return toOneSchedule(db, schedule);
};
