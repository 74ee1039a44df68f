import { z } from 'zod';
import { jsonBody, optionalJsonBody, withoutBody } from '#body';
import {
  booleanText,
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  id,
  idIn,
  idParams,
  integer,
  noFields,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  updatedAt,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { confidenceSchema, sourcesSchema, tokensSchema } from '#operations/chat';

const MAX_CASES = 1_000;
const MAX_QUESTION = 2_000;
const MAX_LIST = 20;
const MAX_COLLECTIONS = 100;
const MAX_TEXT = 500;
const MAX_IMPORT_TEXT = 1_000_000;

// Test cases

const QUESTION = { description: 'The question to ask.', examples: ['How many days of leave do I have?'] };
const COLLECTIONS = { description: 'The collections to search. Empty: all that the test case can access.' };
const EXPECT = {
  description: '`answer`: the reply must answer the question. `refusal`: it must state that there is no answer.',
};
const DOCUMENTS = {
  description: 'Documents that contain the answer: the reply must cite at least one of them.',
  examples: [[exampleId('document')]],
};
const TEXTS = {
  description: 'Texts that the reply must contain, without regard to case and white space.',
  examples: [['30 days']],
};
const USER = {
  description:
    'The email address of the person whose access the test case has. Null: all documents of the team. A signed-in person can only name themselves, and creating or changing a test case gives it that access.',
};

const expectation = z.enum(['answer', 'refusal']).meta({ id: 'TestExpectation', description: EXPECT.description });
const ids = (max: number) => z.array(id).max(max);

const fields = {
  question: z.string().trim().min(1).max(MAX_QUESTION).meta(QUESTION),
  collections: ids(MAX_COLLECTIONS).meta(COLLECTIONS),
  expect: expectation.meta(EXPECT),
  documents: ids(MAX_LIST).meta(DOCUMENTS),
  texts: z.array(z.string().trim().min(1).max(MAX_TEXT)).max(MAX_LIST).meta(TEXTS),
  user: z.email().max(320).nullable().meta(USER),
};

const newFields = {
  ...fields,
  collections: fields.collections.default([]),
  expect: fields.expect.default('answer'),
  documents: fields.documents.default([]),
  texts: fields.texts.default([]),
  user: fields.user.optional(),
};

/** A test case in an import, one per line. */
export const importedTestCase = z.strictObject(newFields);

const newTestCase = z
  .strictObject({
    ...newFields,
    messageId: idIn('message').optional().meta({
      description: 'The reply in a conversation that the test case is made from. A reply has at most one test case.',
    }),
  })
  .meta({ examples: [{ question: 'How many days of leave do I have?', texts: ['30 days'] }] });

const testCaseSchema = z
  .object({
    id: ownId('test_case'),
    ...fields,
    messageId: z.string().nullable().meta({
      description: 'The reply in a conversation that the test case was made from, if there is one.',
    }),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'TestCase',
    description: 'A question whose reply is checked.',
    examples: [
      {
        id: exampleId('test_case'),
        question: 'How many days of leave do I have?',
        collections: [],
        expect: 'answer',
        documents: [exampleId('document')],
        texts: ['30 days'],
        user: 'ada@example.com',
        messageId: null,
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

const TEAM = 'access test cases';

export const listTestCases = operation({
  id: 'listTestCases',
  method: 'get',
  path: '/api/v1/test-cases',
  summary: 'List test cases',
  description: 'Lists the test cases of the team, newest first. A team can have up to 1,000.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: none,
  query: pageQuery.extend({
    query: z.string().min(1).max(200).optional().meta({ description: 'Only test cases whose question contains this.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(testCaseSchema)),
});

export const createTestCase = operation({
  id: 'createTestCase',
  method: 'post',
  path: '/api/v1/test-cases',
  summary: 'Create a test case',
  description: 'Creates a question whose reply each test run checks.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: none,
  query: none,
  body: jsonBody(newTestCase),
  success: 201,
  response: one(testCaseSchema),
  errors: ['conflict', 'not_found'],
});

export const importTestCases = operation({
  id: 'importTestCases',
  method: 'post',
  path: '/api/v1/test-cases/import',
  summary: 'Import test cases',
  description:
    'Creates test cases from JSON Lines, all or none. A test case with the same question and collections is changed instead, so that its results stay comparable.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: none,
  query: none,
  body: jsonBody(
    z
      .strictObject({
        text: z
          .string()
          .max(MAX_IMPORT_TEXT)
          .meta({
            description: `One JSON object per line with \`question\` and optionally \`collections\`, \`expect\`, \`documents\`, \`texts\` and \`user\`. At most ${MAX_CASES} lines; empty ones are ignored.`,
          }),
        replace: z
          .boolean()
          .default(false)
          .meta({ description: 'True: also deletes the test cases that are not in the import.' }),
      })
      .meta({ examples: [{ text: '{"question":"How many days of leave do I have?","texts":["30 days"]}\n' }] }),
    'MAX_JSON_BYTES',
  ),
  success: 200,
  response: one(
    z
      .object({
        created: integer('The number of new test cases.'),
        updated: integer('The number of test cases that existed already.'),
        deleted: integer('The number of test cases that `replace` deleted.'),
      })
      .meta({
        id: 'TestCaseImport',
        description: 'The result of an import.',
        examples: [{ created: 1, updated: 0, deleted: 0 }],
      }),
  ),
  errors: ['conflict'],
});

export const exportTestCases = operation({
  id: 'exportTestCases',
  method: 'get',
  path: '/api/v1/test-cases/export',
  summary: 'Export test cases',
  description: 'Returns all test cases as JSON Lines, as an import accepts them.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(
    z
      .object({
        count: integer('The number of test cases.'),
        text: z.string().meta({ description: 'One JSON object per line, oldest first.' }),
      })
      .meta({
        id: 'TestCaseExport',
        description: 'Exported test cases.',
        examples: [{ count: 1, text: '{"question":"How many days of leave do I have?","texts":["30 days"]}\n' }],
      }),
  ),
});

export const getTestCase = operation({
  id: 'getTestCase',
  method: 'get',
  path: '/api/v1/test-cases/{id}',
  summary: 'Get a test case',
  description: 'Returns a test case.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: idParams('test_case'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(testCaseSchema),
});

export const updateTestCase = operation({
  id: 'updateTestCase',
  method: 'put',
  path: '/api/v1/test-cases/{id}',
  summary: 'Update a test case',
  description: 'Changes the given fields of a test case.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: idParams('test_case'),
  query: none,
  body: jsonBody(
    z
      .strictObject(fields)
      .partial()
      .meta({ examples: [{ texts: ['30 days'] }] }),
  ),
  success: 200,
  response: one(testCaseSchema),
});

export const deleteTestCase = operation({
  id: 'deleteTestCase',
  method: 'delete',
  path: '/api/v1/test-cases/{id}',
  summary: 'Delete a test case',
  description: 'Deletes a test case. Its results in earlier runs stay.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: idParams('test_case'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

// Runs

const runStatus = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled', 'budget_exceeded']).meta({
  id: 'TestRunStatus',
  description:
    'The state of a run. `completed` means that all test cases were asked, `failed` that the run ended early, `budget_exceeded` that the budget that pays for it was used up.',
});

const nullableNumber = (description: string) => z.number().nullable().meta({ description });

const chargedTo = (who: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `${who}: the id of a person or a key pair. Null if no one pays.`,
      examples: [exampleId('person')],
    });

const RUN_EXAMPLE = {
  id: exampleId('test_run'),
  status: 'completed',
  scheduled: true,
  total: 50,
  passed: 47,
  failed: 2,
  errors: 1,
  regressions: 1,
  meanConfidence: 0.82,
  meanTookMs: 640.5,
  promptTokens: 120_000,
  completionTokens: 4_000,
  error: null,
  chargedTo: exampleId('person'),
  createdAt: EXAMPLE_TIME,
  startedAt: EXAMPLE_TIME,
  finishedAt: EXAMPLE_TIME,
};

const runSchema = z
  .object({
    id: ownId('test_run'),
    status: runStatus,
    scheduled: flag('True if the schedule started the run.'),
    total: integer('The number of test cases when the run was created.'),
    passed: integer('Test cases whose reply is as expected.'),
    failed: integer('Test cases whose reply is not as expected.'),
    errors: integer('Test cases without a reply.'),
    regressions: integer('Test cases that fail, and passed the last time that they had a reply.'),
    meanConfidence: nullableNumber('The mean confidence of the replies, from 0 to 1. Null without replies.'),
    meanTookMs: nullableNumber('The mean duration of the replies in milliseconds. Null without replies.'),
    promptTokens: integer('Tokens of all prompts.'),
    completionTokens: integer('Tokens of all replies.'),
    error: z.string().nullable().meta({ description: 'Why the run ended early.' }),
    chargedTo: chargedTo('Who started or scheduled the run, and whose budget pays for it'),
    createdAt,
    startedAt: nullableTimestamp('When the first test case was asked.'),
    finishedAt: nullableTimestamp('When the run ended.'),
  })
  .meta({ id: 'TestRun', description: 'A run of all test cases.', examples: [RUN_EXAMPLE] });

export const startTestRun = operation({
  id: 'startTestRun',
  method: 'post',
  path: '/api/v1/test-runs',
  summary: 'Start a test run',
  description:
    'Asks all test cases in the background and checks the replies. A team can have one active run. A run ends after 60 minutes at the latest, and continues after a crash. The budget of the caller pays for it.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: none,
  query: none,
  body: optionalJsonBody(noFields),
  success: 202,
  response: one(runSchema),
  responseHeaders: { 'X-Budget-Warning': 'Present if a soft limit of the budget is reached.' },
  errors: ['conflict'],
});

export const listTestRuns = operation({
  id: 'listTestRuns',
  method: 'get',
  path: '/api/v1/test-runs',
  summary: 'List test runs',
  description: 'Lists the last 400 runs, newest first.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(runSchema)),
});

export const getTestRun = operation({
  id: 'getTestRun',
  method: 'get',
  path: '/api/v1/test-runs/{id}',
  summary: 'Get a test run',
  description: 'Returns a run with the counts of its results so far.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: idParams('test_run'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(runSchema),
});

export const cancelTestRun = operation({
  id: 'cancelTestRun',
  method: 'post',
  path: '/api/v1/test-runs/{id}/cancel',
  summary: 'Cancel a test run',
  description: 'Cancels a run. Its results so far stay. A run that has ended does not change.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: idParams('test_run'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(runSchema),
});

const outcome = z.enum(['passed', 'failed', 'error']).meta({
  id: 'TestOutcome',
  description: 'Whether the reply is as expected. `error`: there is no reply.',
});

const resultSchema = z
  .object({
    testCaseId: recordId('test_case', 'The id of the test case. It can be deleted.'),
    question: text('The question as it was asked.'),
    outcome,
    regression: flag('True if the test case fails, and passed the last time that it had a reply.'),
    failures: z
      .array(
        z.enum(['refused', 'answered', 'not_retrieved', 'not_cited', 'text_missing']).meta({
          id: 'TestFailure',
          description:
            'Why a test case fails. `refused`: the reply states that there is no answer. `answered`: it answers though a refusal is expected. `not_retrieved`: no expected document was found. `not_cited`: one was found, but none is cited. `text_missing`: an expected text is missing.',
        }),
      )
      .meta({ description: 'Why it fails. Empty if it passed.' }),
    refused: flag('True if the reply states that there is no answer.'),
    rank: z.int().nullable().meta({
      description: 'The position of the first expected document among those that were found, from 1.',
    }),
    answer_confidence: confidenceSchema.nullable().meta({ description: 'How well the sources support the reply.' }),
    tookMs: integer('The duration of the reply in milliseconds.'),
    usage: tokensSchema,
    content: text('The reply. A notice if it is withheld.'),
    sources: sourcesSchema,
    withheld: flag('True if the reply is based on documents that you cannot read.'),
    error: z.string().nullable().meta({ description: 'Why there is no reply.' }),
  })
  .meta({
    id: 'TestResult',
    description: 'The result of a test case in a run.',
    examples: [
      {
        testCaseId: exampleId('test_case'),
        question: 'How many days of leave do I have?',
        outcome: 'passed',
        regression: false,
        failures: [],
        refused: false,
        rank: 1,
        answer_confidence: { score: 0.91, label: 'high' },
        tookMs: 512,
        usage: { promptTokens: 210, completionTokens: 12, totalTokens: 222 },
        content: 'Thirty days a year [1].',
        sources: [{ id: exampleId('document'), title: 'Leave', excerpt: 'Thirty days a year.', url: null }],
        withheld: false,
        error: null,
      },
    ],
  });

export const listTestResults = operation({
  id: 'listTestResults',
  method: 'get',
  path: '/api/v1/test-runs/{id}/results',
  summary: 'List the results of a test run',
  description:
    'Lists the results of a run: regressions first, then errors, failures and passed test cases. Replies based on documents that you cannot read are withheld.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: idParams('test_run'),
  query: pageQuery.extend({
    outcome: outcome.optional().meta({ description: 'Only results with this outcome.' }),
    regression: booleanText.default(false).meta({ description: 'Only regressions.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(resultSchema)),
});

// Schedule

const scheduleFields = {
  enabled: z.boolean().meta({ description: 'True if runs start on the schedule.' }),
  weekday: z.int().min(1).max(7).nullable().meta({ description: 'From 1 (Monday) to 7 (Sunday). Null: every day.' }),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59')
    .meta({ description: 'The local time.', examples: ['06:00'] }),
  timeZone: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'An IANA time zone.', examples: ['Europe/Berlin'] }),
};

const scheduleSchema = z
  .object({
    ...scheduleFields,
    nextRunAt: nullableTimestamp('When the next run starts. Null if the schedule is off.'),
    chargedTo: chargedTo('Who stored the schedule, and whose budget pays for its runs'),
  })
  .meta({
    id: 'TestSchedule',
    description: 'When the test cases run.',
    examples: [
      {
        enabled: true,
        weekday: 1,
        time: '06:00',
        timeZone: 'Europe/Berlin',
        nextRunAt: '2026-11-23T05:00:00.000Z',
        chargedTo: exampleId('person'),
      },
    ],
  });

export const getTestSchedule = operation({
  id: 'getTestSchedule',
  method: 'get',
  path: '/api/v1/test-schedule',
  summary: 'Get the schedule of test runs',
  description: 'Returns when the test cases run. The schedule is off until it is set.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(scheduleSchema),
});

export const setTestSchedule = operation({
  id: 'setTestSchedule',
  method: 'put',
  path: '/api/v1/test-schedule',
  summary: 'Set the schedule of test runs',
  description:
    'Sets when the test cases run: every day or on one weekday, at a local time. A time that clocks skip is read as before the change. Runs that were missed while Lectern was down start once.',
  access: 'secret',
  fullScopeTo: TEAM,
  params: none,
  query: none,
  body: jsonBody(
    z
      .strictObject({ ...scheduleFields, weekday: scheduleFields.weekday.default(null) })
      .meta({ examples: [{ enabled: true, weekday: 1, time: '06:00', timeZone: 'Europe/Berlin' }] }),
  ),
  success: 200,
  response: one(scheduleSchema),
});
