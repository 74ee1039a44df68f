import { pageInfo, readPage } from '@lectern/service-kit';
import { z } from 'zod';
import type { AuditEvent } from '#gen/prisma/client';
import { page } from '#http/answer';
import { answersPage, anyObject, timestamp } from '#http/answer-schema';
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

const auditRecordSchema = z
  .object({
    id: z.string(),
    action: z.string().meta({ description: "The operation's id" }),
    resource: z.object({ type: z.string(), id: z.string().nullable() }),
    actor: z.object({ keyId: z.string().nullable(), user: z.string().nullable() }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    details: anyObject.nullable(),
    createdAt: timestamp,
  })
  .meta({
    id: 'AuditEvent',
    description: 'What was managed, by whom, when and from where',
    examples: [
      {
        id: 'aud_01h455vb4pex5vsknk084sn02q',
        action: 'createCollection',
        resource: { type: 'collection', id: 'col_01h455vb4pex5vsknk084sn02q' },
        actor: { keyId: 'key_01h455vb4pex5vsknk084sn02q', user: null },
        ip: '203.0.113.7',
        userAgent: 'lectern-sdk',
        requestId: 'req_01h455vb4pex5vsknk084sn02q',
        details: {},
        createdAt: '2026-11-21T10:00:00.000Z',
      },
    ],
  });

export const listAudit = defineOperation({
  id: 'listAudit',
  method: 'get',
  path: '/api/v1/audit',
  summary: 'List what was managed, by whom, when and from where, newest first',
  access: 'secret',
  fullScopeTo: 'read the audit log',
  params: none,
  query,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(auditRecordSchema)),
  handle: async ({ db }, { query }, { caller }) => {
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
