import { newId } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import type { Body } from '#http/body/body';
import { jsonBody } from '#http/body/json-body';
import { freeObject } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { timeText } from '#http/period';
import { validate } from '#http/validate';

const MAX_EVENTS = 100;
const MAX_NAME = 200;

const event = z.strictObject({
  name: z.string().trim().min(1).max(MAX_NAME),
  properties: freeObject.default({}),
  occurredAt: timeText.optional(),
});
const events = z.array(event).min(1).max(MAX_EVENTS);
const json = jsonBody(z.unknown(), 'MAX_JSON_BYTES');

/** One event as well as a list of them; which of the two it is decides what is said of a mistake. */
const body: Body<readonly z.output<typeof event>[]> = {
  ...json,
  schema: z.union([event, events]).meta({ examples: [{ name: 'search_clicked', properties: { rank: 1 } }] }),
  read: async (source, config) => {
    const value = await json.read(source, config);
    return Array.isArray(value) ? validate(events, value, 'body') : [validate(event, value, 'body')];
  },
};

const acceptedSchema = z
  .object({ accepted: z.int(), ids: z.array(z.string()) })
  .meta({ id: 'AcceptedEvents', examples: [{ accepted: 1, ids: ['evt_01h455vb4pex5vsknk084sn02q'] }] });

export const recordEvents = defineOperation({
  id: 'recordAnalyticsEvents',
  method: 'post',
  path: '/api/v1/analytics/events',
  summary: 'Record an event, or up to 100',
  access: 'secret',
  params: none,
  query: none,
  body,
  success: 202,
  answer: answers(acceptedSchema),
  handle: async ({ db }, { body: reported }, { caller, key }) => {
    const now = new Date();
    const rows = reported.map(({ name, properties, occurredAt = now }) => ({
      id: newId('event'),
      teamId: caller.teamId,
      keyId: key.pairId,
      name,
      // As JSON, which it came from: Prisma's type leaves `unknown` out.
      properties: JSON.parse(JSON.stringify(properties)),
      occurredAt,
    }));
    await db.analyticsEvent.createMany({ data: rows });
    return data({ accepted: rows.length, ids: rows.map(({ id }) => id) });
  },
});
