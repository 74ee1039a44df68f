import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import { none, one, operation } from '#operation';

const MAX_DAYS = 3_650;
/** An audit log that ends earlier does not show what an attacker changed. */
const MIN_AUDIT_DAYS = 30;
/** Completes “This API key may not …”. */
const CHANGE = 'change how long data is kept';

const days = (min: number) => z.int().min(min).max(MAX_DAYS).nullable();

const fields = {
  conversations: days(1).meta({
    description:
      'Days after their last message for which conversations are kept, with their messages and agent runs. Null: until somebody deletes them.',
    examples: [180],
  }),
  audit: days(MIN_AUDIT_DAYS).meta({
    description: 'Days for which audit events are kept, at least 30. Null: forever.',
    examples: [365],
  }),
  events: days(1).meta({
    description: 'Days for which analytics events are kept. Null: forever.',
    examples: [90],
  }),
  usage: days(1).meta({
    description: 'Days for which usage is kept. Null: `USAGE_RETENTION_DAYS`, which is also the maximum.',
    examples: [null],
  }),
};
const EXAMPLE = { conversations: 180, audit: 365, events: 90, usage: null };

const retentionSchema = z
  .object(fields)
  .meta({ id: 'Retention', description: 'How long the data of a team is kept, in days.', examples: [EXAMPLE] });

const retentionBody = z
  .strictObject(fields)
  .partial()
  .meta({
    id: 'RetentionChanges',
    description: 'The settings to change. Omitted ones stay.',
    examples: [{ conversations: 180 }],
  });

export const getRetention = operation({
  id: 'getRetention',
  method: 'get',
  path: '/api/v1/retention',
  summary: 'Get how long data is kept',
  description: 'Returns after how many days conversations, audit events, analytics events and usage are deleted.',
  access: 'secret',
  fullScopeTo: CHANGE,
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(retentionSchema),
});

export const updateRetention = operation({
  id: 'updateRetention',
  method: 'put',
  path: '/api/v1/retention',
  summary: 'Change how long data is kept',
  description:
    'Changes after how many days data is deleted. Older data is deleted within an hour and cannot be restored.',
  access: 'secret',
  fullScopeTo: CHANGE,
  params: none,
  query: none,
  body: jsonBody(retentionBody),
  success: 200,
  response: one(retentionSchema),
});
