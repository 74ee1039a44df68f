import {
  fromScheduleTarget,
  type Schedule,
  type ScheduleDelivery,
  ScheduleDeliveryStatus,
  type ScheduleRun,
  ScheduleRunStatus,
  type ScheduleTarget,
  type ScheduleTargetRecord,
} from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { enumText, time } from '#operations/convert';

/** A target as the API shows it. */
export function targetRecord(message: ScheduleTarget | undefined): ScheduleTargetRecord {
  const target = fromScheduleTarget(message);
  if (target !== undefined) return target;
  throw new AppError('internal_error', 'A schedule has a target that this version does not know.');
}

const deliveryRecord = (delivery: ScheduleDelivery) => ({
  target: targetRecord(delivery.target),
  status: enumText(ScheduleDeliveryStatus, delivery.status),
  attempts: delivery.attempts,
  error: delivery.error ?? null,
  nextAttemptAt: time(delivery.nextAttemptAt),
  endedAt: time(delivery.endedAt),
});

/** A run of a schedule. */
export const scheduleRunRecord = (run: ScheduleRun) => ({
  id: run.id,
  scheduleId: run.scheduleId,
  agentId: run.agentId,
  status: enumText(ScheduleRunStatus, run.status),
  scheduledFor: time(run.scheduledFor),
  error: run.errorCode === undefined ? null : { code: run.errorCode, message: run.errorMessage ?? '' },
  runId: run.runId ?? null,
  conversationId: run.conversationId ?? null,
  deliveries: run.deliveries.map(deliveryRecord),
  createdAt: time(run.createdAt),
  startedAt: time(run.startedAt),
  endedAt: time(run.endedAt),
});

/** A schedule as a caller sees it. */
export const scheduleRecord = (schedule: Schedule, callerId: string) => ({
  id: schedule.id,
  agentId: schedule.agentId,
  name: schedule.name,
  message: schedule.message,
  cron: schedule.cron,
  timeZone: schedule.timeZone,
  enabled: schedule.enabled,
  targets: schedule.targets.map(targetRecord),
  runsAs: schedule.runsAs,
  isOwner: schedule.ownerId === callerId,
  nextRunAt: time(schedule.nextRunAt),
  failures: schedule.failures,
  pausedReason: schedule.pausedReason ?? null,
  pausedMessage: schedule.pausedMessage ?? null,
  lastRun: schedule.lastRun === undefined ? null : scheduleRunRecord(schedule.lastRun),
  createdAt: time(schedule.createdAt),
  updatedAt: time(schedule.updatedAt),
});
