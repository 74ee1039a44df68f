import { schedules } from '@lectern/api-spec';
import { toScheduleTarget } from '@lectern/contracts';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { requireBudget } from '#budgets/meter';
import { data, page, recordData } from '#http/api-response';
import { checkTargets } from '#operations/schedules/check-targets';
import { scheduleRecord, scheduleRunRecord, targetRecord } from '#operations/schedules/mapping';
import { route } from '#pipeline/operation';

interface Params {
  readonly id: string;
  readonly scheduleId: string;
}

const toRequest = ({ id: agentId, scheduleId: id }: Params) => ({ agentId, id });

export const scheduleRoutes = [
  route(schedules.listSchedules, async (ctx, { params, query }, call) => {
    const response = await ctx.clients.schedules.listSchedules({ agentId: params.id, page: query }, onBehalfOf(call));
    return page(
      response.schedules.map((schedule) => scheduleRecord(schedule, call.key.pairId)),
      response.page,
    );
  }),

  route(schedules.createSchedule, async (ctx, { params, body: { targets, ...body } }, call) => {
    // Callers without access to the agent learn nothing about targets.
    await ctx.clients.agents.getAgent({ id: params.id }, onBehalfOf(call));
    const checked = await checkTargets(ctx, targets, call);
    const id = idOf('schedule', call.seed);
    const request = { ...body, agentId: params.id, id, targets: checked.map(toScheduleTarget) };
    const schedule = await ctx.clients.schedules.createSchedule(request, onBehalfOf(call));
    return recordData(scheduleRecord(schedule, call.key.pairId), schedule.revision);
  }),

  route(schedules.getSchedule, async (ctx, { params }, call) => {
    const schedule = await ctx.clients.schedules.getSchedule(toRequest(params), onBehalfOf(call));
    return recordData(scheduleRecord(schedule, call.key.pairId), schedule.revision);
  }),

  route(
    schedules.updateSchedule,
    async (ctx, { params, body: { targets, ...body } }, call) => {
      const stored = await ctx.clients.schedules.getSchedule(toRequest(params), onBehalfOf(call));
      const current = stored.targets.map(targetRecord);
      const given = Object.values({ ...body, targets }).filter((value) => value !== undefined);
      const keepsOwner = given.length === 0 || (given.length === 1 && body.enabled === false);
      const checked = keepsOwner ? [] : await checkTargets(ctx, targets ?? current, call, current);
      const request = {
        ...toRequest(params),
        ...body,
        targets: targets === undefined ? undefined : { values: checked.map(toScheduleTarget) },
        precondition: call.ifMatch,
      };
      const schedule = await ctx.clients.schedules.updateSchedule(request, onBehalfOf(call));
      return recordData(scheduleRecord(schedule, call.key.pairId), schedule.revision);
    },
    {
      current: async (ctx, params, call) => {
        const schedule = await ctx.clients.schedules.getSchedule(toRequest(params), onBehalfOf(call));
        return { record: scheduleRecord(schedule, call.key.pairId), revision: schedule.revision };
      },
    },
  ),

  route(schedules.deleteSchedule, async (ctx, { params }, call) => {
    const request = { ...toRequest(params), precondition: call.ifMatch };
    const { id } = await ctx.clients.schedules.deleteSchedule(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),

  route(schedules.startSchedule, async (ctx, { params }, call) => {
    await requireBudget(ctx, call);
    const request = { ...toRequest(params), runId: idOf('schedule_run', call.seed) };
    return data(scheduleRunRecord(await ctx.clients.schedules.startSchedule(request, onBehalfOf(call))));
  }),

  route(schedules.listScheduleRuns, async (ctx, { params, query }, call) => {
    const request = { agentId: params.id, scheduleId: params.scheduleId, page: query };
    const response = await ctx.clients.schedules.listScheduleRuns(request, onBehalfOf(call));
    return page(response.runs.map(scheduleRunRecord), response.page);
  }),
];
