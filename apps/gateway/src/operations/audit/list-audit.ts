import { pageInfo, readPage, requireFullScope } from '@lectern/service-kit';
import { z } from 'zod';
import type { AuditEvent } from '#gen/prisma/client';
import { page } from '#http/answer';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { periodQuery, timesBetween } from '#http/period';
import { time } from '#http/time';

const MAX_TEXT = 100;

const filter = z.string().min(1).max(MAX_TEXT).optional();
const query = pageQuery.extend({ ...periodQuery, action: filter, keyId: filter, resourceId: filter });

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

export const listAudit = defineOperation({
  id: 'listAudit',
  method: 'get',
  path: '/api/v1/audit',
  summary: 'List what was managed, by whom, when and from where, newest first',
  access: 'secret',
  params: none,
  query,
  body: noBody,
  success: 200,
  handle: async ({ db }, { query }, { caller }) => {
    requireFullScope(caller, 'read the audit log');
    const { action, keyId, resourceId, from, to } = query;
    const wanted = readPage(query);
    const where = {
      teamId: caller.teamId,
      ...(action === undefined ? {} : { action }),
      ...(keyId === undefined ? {} : { keyId }),
      ...(resourceId === undefined ? {} : { resourceId }),
      createdAt: timesBetween(from, to),
    };
    const [events, total] = await db.$transaction([
      db.auditEvent.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: wanted.skip,
        take: wanted.take,
      }),
      db.auditEvent.count({ where }),
    ]);
    return page(events.map(auditRecord), pageInfo(wanted, total));
  },
});
