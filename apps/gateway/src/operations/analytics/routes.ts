import { analytics, searchAnalytics } from '@lectern/api-spec';
import { newId, pageInfo, readPage } from '@lectern/service-kit';
import { exportAudit, listAudit } from '#audit/read-audit';
import { actorOf, recordAudit } from '#audit/record-audit';
import { MICROS } from '#budgets/budget-errors';
import { namesOf } from '#budgets/budget-store';
import type { AnalyticsEvent } from '#gen/prisma/client';
import { data, lines, page } from '#http/api-response';
import { breakdownPeriod, usagePeriod } from '#operations/analytics/usage-period';
import { time } from '#operations/convert';
import { route } from '#pipeline/operation';
import { readBreakdown } from '#usage/read-breakdown';
import { readUsage } from '#usage/read-usage';

function eventRecord({ id, name, properties, keyId, occurredAt, createdAt }: AnalyticsEvent) {
  return { id, name, properties, keyId, occurredAt: time(occurredAt), createdAt: time(createdAt) };
}

/** A period as a condition of a query. `from` is included, `to` is not. */
function timesBetween(from: Date | undefined, to: Date | undefined): { gte?: Date; lt?: Date } {
  return { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) };
}

/** An event with this name and the properties `queryId` and `rank` is a click on a search result. */
const SEARCH_CLICKED = 'search_clicked';

export const analyticsRoutes = [
  route(analytics.listAudit, async ({ db }, { query }, { caller }) => {
    const paging = readPage(query);
    const { events, total } = await listAudit(db, caller.teamId, query, paging);
    return page(events, pageInfo(paging, total));
  }),

  route(analytics.exportAudit, async ({ db }, { query }, call) => {
    const { teamId } = call.caller;
    const now = new Date();
    const to = query.to !== undefined && query.to < now ? query.to : now;
    const filters = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const details = { filters: Object.fromEntries(filters) };
    const action = { action: 'exportAudit', resourceType: 'audit', resourceId: undefined };
    await recordAudit(db, actorOf(call), { ...action, details });
    return lines(exportAudit(db, teamId, { ...query, to }, call.signal));
  }),

  route(analytics.recordEvents, async ({ db, searchLog }, { body: events }, { caller, key }) => {
    const now = new Date();
    const rows = events.map(({ name, properties, occurredAt = now }) => ({
      id: newId('event'),
      teamId: caller.teamId,
      keyId: key.pairId,
      name,
      // Prisma's JSON type does not accept `unknown`.
      properties: JSON.parse(JSON.stringify(properties)),
      occurredAt,
    }));
    await db.analyticsEvent.createMany({ data: rows });
    for (const { name, properties } of events) {
      const click = name === SEARCH_CLICKED ? searchAnalytics.searchClick.safeParse(properties).data : undefined;
      if (click !== undefined) searchLog.click(caller.teamId, click.queryId, click.rank);
    }
    return data({ accepted: rows.length, ids: rows.map(({ id }) => id) });
  }),

  route(analytics.listEvents, async ({ db }, { query }, { caller, key }) => {
    const { name, from, to } = query;
    const { skip, take, ...paging } = readPage(query);
    const where = {
      teamId: caller.teamId,
      // A key with restricted scope sees only what it recorded.
      ...(caller.scope.kind === 'all' ? {} : { keyId: key.pairId }),
      ...(name === undefined ? {} : { name }),
      occurredAt: timesBetween(from, to),
    };
    const [events, total] = await db.$transaction([
      db.analyticsEvent.findMany({ where, orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }], skip, take }),
      db.analyticsEvent.count({ where }),
    ]);
    return page(events.map(eventRecord), pageInfo({ ...paging, skip, take }, total));
  }),

  route(analytics.getUsage, async ({ db, usage }, { query }, { caller }) => {
    const period = usagePeriod(query);
    // Includes what this process has counted; other replicas store their counts within seconds.
    await usage.flush();
    const { buckets, totals } = await readUsage(db, caller.teamId, period);
    return data({
      from: time(period.from),
      to: time(period.to),
      interval: query.interval,
      buckets: buckets.map(({ start, counts }) => ({ startAt: time(start), ...counts })),
      totals,
    });
  }),

  route(analytics.getUsageBreakdown, async ({ db, usage }, { query }, { caller }) => {
    const { teamId } = caller;
    const period = breakdownPeriod(query);
    const paging = readPage(query);
    await usage.flush();
    const { items, total } = await readBreakdown(db, teamId, { by: query.by, ...period, ...paging });
    const names =
      query.by === 'model'
        ? undefined
        : await namesOf(
            db,
            teamId,
            items.map(({ id }) => id),
          );
    const records = items.map((item) => ({ ...item, name: names?.get(item.id) ?? item.id, cost: item.cost / MICROS }));
    return page(records, pageInfo(paging, total));
  }),
];
