import { analytics, searchAnalytics } from '@lectern/api-spec';
import { newId, pageInfo, readPage } from '@lectern/service-kit';
import type { AnalyticsEvent, AuditEvent } from '#gen/prisma/client';
import { data, page } from '#http/api-response';
import { usagePeriod } from '#operations/analytics/usage-period';
import { time } from '#operations/convert';
import { route } from '#pipeline/operation';
import { readUsage } from '#usage/read-usage';

function auditRecord(event: AuditEvent) {
  return {
    id: event.id,
    action: event.action,
    resource: { type: event.resourceType, id: event.resourceId },
    actor: { keyId: event.keyId, user: event.userEmail },
    ip: event.origin,
    userAgent: event.userAgent,
    requestId: event.requestId,
    details: event.details,
    createdAt: time(event.createdAt),
  };
}

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
    const { action, keyId, resourceId, from, to } = query;
    const { skip, take, ...paging } = readPage(query);
    const where = {
      teamId: caller.teamId,
      ...(action === undefined ? {} : { action }),
      ...(keyId === undefined ? {} : { keyId }),
      ...(resourceId === undefined ? {} : { resourceId }),
      createdAt: timesBetween(from, to),
    };
    const [events, total] = await db.$transaction([
      db.auditEvent.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], skip, take }),
      db.auditEvent.count({ where }),
    ]);
    return page(events.map(auditRecord), pageInfo({ ...paging, skip, take }, total));
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
];
