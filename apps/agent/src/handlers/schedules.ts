import type {
  CreateScheduleRequest,
  DeleteScheduleRequest,
  GetScheduleRequest,
  ListScheduleRunsRequest,
  ListSchedulesRequest,
  StartScheduleRequest,
} from '@lectern/contracts';
import {
  AppError,
  createOnce,
  newId,
  notFound,
  pageInfo,
  readPage,
  requireRevision,
  type ServiceCall,
} from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { checkScheduleFields } from '#schedules/check-fields';
import { SCHEDULE_LIMITS } from '#schedules/limits';
import { ownerOf } from '#schedules/owner';
import { databaseTime, findOpenRun, insertRun, lockSchedule, nextTime, removeOldRuns } from '#schedules/run-store';
import {
  readSchedule,
  scheduleRevision,
  toOneSchedule,
  toScheduleRun,
  toSchedules,
  visibleSchedules,
  WITH_DELIVERIES,
} from '#schedules/schedule-rows';
import { checkTiming } from '#schedules/slots';
import { checkTargets } from '#schedules/targets';

export const listSchedules =
  (context: Context) =>
  async ({ agentId, page: pageRequest }: ListSchedulesRequest, call: ServiceCall) => {
    const { db } = context;
    await readAgent(context, call, agentId);
    const page = readPage(pageRequest);
    const where = { ...visibleSchedules(call.caller), agentId };
    const [rows, total] = await db.$transaction([
      db.schedule.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: page.skip,
        take: page.take,
      }),
      db.schedule.count({ where }),
    ]);
    return { schedules: await toSchedules(db, rows), page: pageInfo(page, total) };
  };

export const getSchedule =
  (context: Context) =>
  async ({ agentId, id }: GetScheduleRequest, call: ServiceCall) => {
    await readAgent(context, call, agentId);
    return toOneSchedule(context.db, await readSchedule(context.db, call.caller, agentId, id));
  };

/** Locks the schedules of a team against others that are created at the same time. */
const lockTeam = (tx: Prisma.TransactionClient, teamId: string) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('schedules', hashtext(${teamId})))`;

/** Creates a schedule of which the caller is the owner. */
export const createSchedule = (context: Context) => async (request: CreateScheduleRequest, call: ServiceCall) => {
  const { db } = context;
  const { teamId } = call.caller;
  const { agentId, name, message, enabled } = request;
  const { timing, issues } = checkTiming(request);
  checkScheduleFields(request, issues);
  const targets = checkTargets(request.targets);
  await readAgent(context, call, agentId);
  const fields = { teamId, agentId, ...ownerOf(call.caller), name: name.trim(), message, enabled, ...timing, targets };
  const schedule = await createOnce({
    kind: 'schedule',
    id: request.id,
    find: (id) => db.schedule.findUnique({ where: { id, teamId, agentId } }),
    create: (id) =>
      db.$transaction(async (tx) => {
        await lockTeam(tx, teamId);
        if ((await tx.schedule.count({ where: { teamId } })) >= SCHEDULE_LIMITS.perTeam) {
          const max = SCHEDULE_LIMITS.perTeam;
          throw new AppError('conflict', `A team can have at most ${max} schedules. Delete one first.`);
        }
        const nextAt = enabled ? nextTime(timing, await databaseTime(tx)) : null;
        return tx.schedule.create({ data: { id, ...fields, targets: [...targets], nextAt } });
      }),
  });
  return toOneSchedule(db, schedule);
};

export const deleteSchedule =
  (context: Context) =>
  async ({ agentId, id, precondition }: DeleteScheduleRequest, call: ServiceCall) => {
    const { db } = context;
    await readAgent(context, call, agentId);
    await readSchedule(db, call.caller, agentId, id);
    await db.$transaction(async (tx) => {
      const schedule = await lockSchedule(tx, id);
      if (schedule === null) throw notFound('schedule', id);
      requireRevision(precondition, scheduleRevision(schedule));
      await tx.schedule.delete({ where: { id } });
    });
    return { id };
  };

/** Runs a schedule now. Only its owner can: it uses the owner's access and budget. */
export const startSchedule =
  (context: Context) =>
  async ({ agentId, id, runId }: StartScheduleRequest, call: ServiceCall) => {
    const { db } = context;
    const { caller } = call;
    await readAgent(context, call, agentId);
    await readSchedule(db, caller, agentId, id);
    const run = await createOnce({
      kind: 'schedule_run',
      id: runId ?? newId('schedule_run'),
      find: (known) => db.scheduleRun.findFirst({ where: { id: known, scheduleId: id } }),
      create: (newRunId) =>
        db.$transaction(async (tx) => {
          const schedule = await lockSchedule(tx, id);
          if (schedule === null) throw notFound('schedule', id);
          if (schedule.ownerId !== caller.keyId) {
            throw new AppError(
              'forbidden',
              'Only the owner of a schedule can run it now. To become the owner, change the schedule.',
            );
          }
          if ((await findOpenRun(tx, id)) !== null) {
            throw new AppError('conflict', 'The schedule is running already. Wait for the run to end.');
          }
          const started = await insertRun(tx, schedule, { id: newRunId, slotAt: null, now: await databaseTime(tx) });
          await removeOldRuns(tx, id);
          return started;
        }),
    });
    return toScheduleRun(await db.scheduleRun.findUniqueOrThrow({ where: { id: run.id }, include: WITH_DELIVERIES }));
  };

export const listScheduleRuns =
  (context: Context) =>
  async ({ agentId, scheduleId, page: pageRequest }: ListScheduleRunsRequest, call: ServiceCall) => {
    const { db } = context;
    await readAgent(context, call, agentId);
    await readSchedule(db, call.caller, agentId, scheduleId);
    const page = readPage(pageRequest);
    const where = { scheduleId };
    const [rows, total] = await db.$transaction([
      db.scheduleRun.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: page.skip,
        take: page.take,
        include: WITH_DELIVERIES,
      }),
      db.scheduleRun.count({ where }),
    ]);
    return { runs: rows.map(toScheduleRun), page: pageInfo(page, total) };
  };
