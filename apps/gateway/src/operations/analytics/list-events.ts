import { pageInfo, readPage } from '@lectern/service-kit';
import { z } from 'zod';
import type { AnalyticsEvent } from '#gen/prisma/client';
import { page } from '#http/answer';
import { answersPage, anyObject, timestamp } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { periodQuery, timesBetween } from '#http/period';
import { time } from '#http/time';

const MAX_NAME = 200;

const query = pageQuery.extend({ ...periodQuery, name: z.string().min(1).max(MAX_NAME).optional() });

function eventRecord({ id, name, properties, keyId, occurredAt, createdAt }: AnalyticsEvent) {
  return { id, name, properties, keyId, occurredAt: time(occurredAt), createdAt: time(createdAt) };
}

const eventSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    properties: anyObject,
    keyId: z.string().nullable(),
    occurredAt: timestamp,
    createdAt: timestamp,
  })
  .meta({
    id: 'AnalyticsEvent',
    examples: [
      {
        id: 'evt_01h455vb4pex5vsknk084sn02q',
        name: 'search_clicked',
        properties: { rank: 1 },
        keyId: 'key_01h455vb4pex5vsknk084sn02q',
        occurredAt: '2026-11-21T10:00:00.000Z',
        createdAt: '2026-11-21T10:00:00.000Z',
      },
    ],
  });

export const listEvents = defineOperation({
  id: 'listAnalyticsEvents',
  method: 'get',
  path: '/api/v1/analytics/events',
  summary: 'List recorded events, newest first',
  access: 'secret',
  params: none,
  query,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(eventSchema)),
  handle: async ({ db }, { query }, { caller, key }) => {
    const { name, from, to } = query;
    const wanted = readPage(query);
    const where = {
      teamId: caller.teamId,
      // A key of restricted scope sees what it wrote itself, as with conversations.
      ...(caller.scope.kind === 'all' ? {} : { keyId: key.pairId }),
      ...(name === undefined ? {} : { name }),
      occurredAt: timesBetween(from, to),
    };
    const [events, total] = await db.$transaction([
      db.analyticsEvent.findMany({
        where,
        orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
        skip: wanted.skip,
        take: wanted.take,
      }),
      db.analyticsEvent.count({ where }),
    ]);
    return page(events.map(eventRecord), pageInfo(wanted, total));
  },
});
