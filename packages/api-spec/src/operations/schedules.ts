import { z } from 'zod';
import { jsonBody, optionalJsonBody, recordBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  failure,
  flag,
  idIn,
  idParam,
  idParams,
  integer,
  name,
  noFields,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  updatedAt,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_MESSAGE = 32_000;
const MAX_CRON = 200;
const MAX_ZONE = 100;
const MAX_TARGETS = 10;
const NEXT_TIME = '2026-11-23T06:00:00.000Z';

const WEBHOOK = 'The result is sent to a webhook, as the event `run.completed` with `schedule` and `result`.';
const SLACK = 'The result is posted to an allowed channel of a Slack app. Everybody in the channel can read it.';
const EMAIL = 'The result is sent to the address of a person of the team.';
const webhookType = z.literal('webhook').meta({ description: 'A webhook.' });
const slackType = z.literal('slack').meta({ description: 'A Slack channel.' });
const emailType = z.literal('email').meta({ description: 'Email.' });
const channel = z
  .string()
  .regex(/^[CG][A-Z0-9]{2,29}$/, 'must be the id of a channel, for example C0123456789')
  .meta({ description: 'The id of an allowed channel of the app.', examples: ['C0123456789'] });

const newTarget = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: webhookType, webhookId: idIn('webhook').meta({ description: 'The webhook.' }) })
      .meta({ id: 'NewWebhookTarget', description: WEBHOOK }),
    z
      .strictObject({ type: slackType, appId: idIn('slackApp').meta({ description: 'The Slack app.' }), channel })
      .meta({ id: 'NewSlackTarget', description: SLACK }),
    z
      .strictObject({
        type: emailType,
        personId: idIn('person').optional().meta({ description: 'The person. Omit it for yourself.' }),
      })
      .meta({ id: 'NewEmailTarget', description: EMAIL }),
  ])
  .meta({ id: 'NewScheduleTarget', description: 'Where the result of a run goes.' });

const target = z
  .discriminatedUnion('type', [
    z.object({ type: webhookType, webhookId: recordId('webhook') }).meta({ id: 'WebhookTarget', description: WEBHOOK }),
    z
      .object({
        type: slackType,
        appId: recordId('slackApp'),
        channel: text('The id of the channel.', 'C0123456789'),
      })
      .meta({ id: 'SlackTarget', description: SLACK }),
    z.object({ type: emailType, personId: recordId('person') }).meta({ id: 'EmailTarget', description: EMAIL }),
  ])
  .meta({ id: 'ScheduleTarget', description: 'Where the result of a run goes.' });

const TARGETS = {
  description:
    'Where the results go, in addition to the conversations of the owner. Whoever reads them there may read what the owner may read. Everything except email to yourself needs an admin, or a key with the right `keys`.',
};
const CRON = {
  description:
    'When it runs: minute, hour, day of the month, month and weekday, with numbers, names, `*`, `,`, `-` and `/`. At least 15 minutes must be between two runs.',
  examples: ['0 7 * * 1-5'],
};
const ZONE = { description: 'The IANA time zone of `cron`.', examples: ['Europe/Berlin'] };
const NAME = { description: 'The name of the schedule, which is the subject of email.', examples: ['Morning report'] };
const MESSAGE = { description: 'What the agent is asked.', examples: ['What changed in the handbook this week?'] };
const ENABLED = { description: 'True if it runs.' };

const fields = {
  name: name.meta(NAME),
  message: z.string().regex(/\S/, 'must not be empty').max(MAX_MESSAGE).meta(MESSAGE),
  cron: z.string().trim().min(1).max(MAX_CRON).meta(CRON),
  timeZone: z.string().min(1).max(MAX_ZONE).meta(ZONE),
  enabled: z.boolean().meta(ENABLED),
  targets: z.array(newTarget).max(MAX_TARGETS).meta(TARGETS),
};

/** The result of a schedule goes here. */
export type NewScheduleTarget = z.output<typeof newTarget>;

const EXAMPLE_FIELDS = {
  name: 'Morning report',
  message: 'What changed in the handbook this week?',
  cron: '0 7 * * 1-5',
  timeZone: 'Europe/Berlin',
};

const newSchedule = z
  .strictObject({
    ...fields,
    timeZone: fields.timeZone.default('UTC'),
    enabled: fields.enabled.default(true),
    targets: fields.targets.default([]),
  })
  .meta({ examples: [{ ...EXAMPLE_FIELDS, targets: [{ type: 'email' }] }] });

const changes = z
  .strictObject(fields)
  .partial()
  .meta({ examples: [{ cron: '30 8 * * 1', enabled: true }] });

const deliverySchema = z
  .object({
    target,
    status: z.enum(['waiting', 'pending', 'delivered', 'failed', 'cancelled']).meta({
      id: 'ScheduleDeliveryStatus',
      description:
        '`waiting` until the run ends, `pending` until the result is delivered. `cancelled`: there is no result. A webhook has its own log of what happens after `delivered`.',
    }),
    attempts: integer('How often it was attempted.'),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed. Null if it did not.' }),
    nextAttemptAt: nullableTimestamp('When it is attempted next. Null unless it is pending.'),
    endedAt: nullableTimestamp('When it ended. Null until then.'),
  })
  .meta({ id: 'ScheduleDelivery', description: 'What became of a result in one place.' });

const RUN_EXAMPLE = {
  id: exampleId('schedule_run'),
  scheduleId: exampleId('schedule'),
  agentId: exampleId('agent'),
  status: 'completed',
  scheduledFor: EXAMPLE_TIME,
  error: null,
  runId: exampleId('run'),
  conversationId: exampleId('conversation'),
  deliveries: [
    {
      target: { type: 'email', personId: exampleId('person') },
      status: 'delivered',
      attempts: 1,
      error: null,
      nextAttemptAt: null,
      endedAt: EXAMPLE_TIME,
    },
  ],
  createdAt: EXAMPLE_TIME,
  startedAt: EXAMPLE_TIME,
  endedAt: EXAMPLE_TIME,
};

const runSchema = z
  .object({
    id: ownId('schedule_run'),
    scheduleId: recordId('schedule'),
    agentId: recordId('agent'),
    status: z.enum(['queued', 'running', 'completed', 'failed', 'skipped']).meta({
      id: 'ScheduleRunStatus',
      description: '`skipped`: the run before had not ended, or the schedule was disabled.',
    }),
    scheduledFor: nullableTimestamp('The time of the schedule. Null if somebody started the run.'),
    error: failure.nullable().meta({
      description: 'Why it failed or was skipped, for example `budget`, `access` or `overlap`. Null if it was not.',
    }),
    runId: recordId('run').nullable().meta({ description: 'The run of the agent. Null before it starts.' }),
    conversationId: recordId('conversation')
      .nullable()
      .meta({ description: 'The conversation with the reply, which belongs to the owner. Null before it starts.' }),
    deliveries: z.array(deliverySchema).meta({ description: 'Where the result goes.' }),
    createdAt,
    startedAt: nullableTimestamp('When it started. Null until then.'),
    endedAt: nullableTimestamp('When it ended. Null until then.'),
  })
  .meta({
    id: 'ScheduleRun',
    description: 'One time at which a schedule ran, or was skipped.',
    examples: [RUN_EXAMPLE],
  });

const PAUSED = {
  description:
    'Why Lectern disabled it: too many failures, an owner who may not manage schedules any more, or one without access to the agent. Null if Lectern did not.',
};
const pausedReason = z
  .enum(['failing', 'owner', 'access'])
  .meta({ id: 'SchedulePauseReason', ...PAUSED })
  .nullable()
  .meta(PAUSED);

const scheduleSchema = z
  .object({
    id: ownId('schedule'),
    agentId: recordId('agent'),
    name: z.string().meta(NAME),
    message: z.string().meta(MESSAGE),
    cron: z.string().meta(CRON),
    timeZone: z.string().meta(ZONE),
    enabled: z.boolean().meta(ENABLED),
    targets: z.array(target).meta(TARGETS),
    runsAs: text(
      'The owner: the address of the person, or the id of the key pair, that changed it last. It runs with their access and budget.',
      'ada@example.com',
    ),
    isOwner: flag('True if you are the owner.'),
    nextRunAt: nullableTimestamp('When it runs next. Null if it is disabled.'),
    failures: integer('How many runs have failed since the last one that completed. After five, it is paused.'),
    pausedReason,
    pausedMessage: z
      .string()
      .nullable()
      .meta({ description: 'What happened, and what to do. Null if it is not paused.' }),
    lastRun: runSchema.nullable().meta({ description: 'The newest run. Null before the first one.' }),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'Schedule',
    description: 'When an agent is asked something, and where the results go.',
    examples: [
      {
        id: exampleId('schedule'),
        agentId: exampleId('agent'),
        ...EXAMPLE_FIELDS,
        enabled: true,
        targets: [{ type: 'email', personId: exampleId('person') }],
        runsAs: 'ada@example.com',
        isOwner: true,
        nextRunAt: NEXT_TIME,
        failures: 0,
        pausedReason: null,
        pausedMessage: null,
        lastRun: RUN_EXAMPLE,
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

const VOLATILE = [
  'nextRunAt',
  'failures',
  'pausedReason',
  'pausedMessage',
  'lastRun',
  'updatedAt',
  'isOwner',
  'runsAs',
];
const PATH = '/api/v1/agents/{id}/schedules';
const scheduleParams = z.object({ id: idParam('agent'), scheduleId: idParam('schedule') });

export const listSchedules = operation({
  id: 'listSchedules',
  method: 'get',
  path: PATH,
  summary: 'List schedules',
  description: 'Lists the schedules of an agent, newest first. A restricted key sees only its own.',
  access: 'secret',
  params: idParams('agent'),
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(scheduleSchema)),
});

export const createSchedule = operation({
  id: 'createSchedule',
  method: 'post',
  path: PATH,
  summary: 'Create a schedule',
  description:
    'Runs an agent regularly, with your access and your budget. A team can have 100 schedules. Times that are missed while Lectern is down get one run together; while a run has not ended, the next one is skipped.',
  access: 'secret',
  params: idParams('agent'),
  query: none,
  body: jsonBody(newSchedule),
  success: 201,
  errors: ['conflict'],
  response: one(scheduleSchema),
});

export const getSchedule = operation({
  id: 'getSchedule',
  method: 'get',
  path: `${PATH}/{scheduleId}`,
  summary: 'Get a schedule',
  description: 'Returns a schedule of an agent with its newest run.',
  access: 'secret',
  versioned: true,
  params: scheduleParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(scheduleSchema),
});

export const updateSchedule = operation({
  id: 'updateSchedule',
  method: 'put',
  path: `${PATH}/{scheduleId}`,
  summary: 'Update a schedule',
  description:
    'Changes the given fields. You become the owner, unless you only disable it: from then on it runs with your access and budget, and you must be allowed to use all of its targets. Enabling it ends a pause.',
  access: 'secret',
  versioned: true,
  params: scheduleParams,
  query: none,
  body: recordBody(changes, scheduleSchema, VOLATILE),
  success: 200,
  response: one(scheduleSchema),
});

export const deleteSchedule = operation({
  id: 'deleteSchedule',
  method: 'delete',
  path: `${PATH}/{scheduleId}`,
  summary: 'Delete a schedule',
  description: 'Deletes a schedule and its history. The runs of the agent and their conversations stay.',
  access: 'secret',
  versioned: true,
  params: scheduleParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const startSchedule = operation({
  id: 'startSchedule',
  method: 'post',
  path: `${PATH}/{scheduleId}/run`,
  summary: 'Run a schedule now',
  description:
    'Runs a schedule in the background, also if it is disabled, and delivers the result. Only its owner can (403). Returns 409 while it runs.',
  access: 'secret',
  params: scheduleParams,
  query: none,
  body: optionalJsonBody(noFields),
  success: 202,
  errors: ['conflict'],
  responseHeaders: { 'X-Budget-Warning': 'Present if a soft limit of the budget is reached.' },
  response: one(runSchema),
});

export const listScheduleRuns = operation({
  id: 'listScheduleRuns',
  method: 'get',
  path: `${PATH}/{scheduleId}/runs`,
  summary: 'List the runs of a schedule',
  description: 'Lists the last 200 runs of a schedule, newest first, with the state of each delivery.',
  access: 'secret',
  params: scheduleParams,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(runSchema)),
});
