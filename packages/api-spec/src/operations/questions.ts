import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  booleanText,
  createdAt,
  EXAMPLE_TIME,
  exampleId,
  flag,
  id,
  idParams,
  nullableTimestamp,
  pageQuery,
  periodQuery,
  recordId,
  text,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { feedbackSchema, nullableConfidence, sourcesSchema } from '#operations/chat';

const kind = z.enum(['unanswered', 'low_confidence', 'down_voted']).meta({
  id: 'QuestionKind',
  description:
    'Why a question should be reviewed. `unanswered`: the reply states that there is no answer. `low_confidence`: it answers with low confidence. `down_voted`: somebody rated it `down`.',
});

const questionSchema = z
  .object({
    id: recordId('message', 'The id of the reply.'),
    question: text('The question.', 'How many days of leave do I have?'),
    kinds: z.array(kind).meta({ description: 'Why the question should be reviewed.' }),
    collections: z.array(z.string()).meta({ description: 'The requested collections. Empty: all.' }),
    content: text('The reply. A notice if it is withheld.'),
    sources: sourcesSchema,
    answer_confidence: nullableConfidence,
    withheld: flag('True if the reply is based on documents that you cannot read.'),
    feedback: z
      .array(feedbackSchema)
      .meta({ description: 'The latest feedback on the reply, at most 20, without who gave it.' }),
    testCaseId: z.string().nullable().meta({ description: 'The test case that was made from the question.' }),
    createdAt,
    doneAt: nullableTimestamp('When the question was marked as done. Null while it is open.'),
  })
  .meta({
    id: 'Question',
    description: 'A question whose reply should be reviewed, without who asked it.',
    examples: [
      {
        id: exampleId('message'),
        question: 'How many days of leave do I have?',
        kinds: ['down_voted'],
        collections: [],
        content: 'Thirty days a year [1].',
        sources: [{ id: exampleId('document'), title: 'Leave', excerpt: 'Thirty days a year.', url: null }],
        answer_confidence: { score: 0.91, label: 'high' },
        withheld: false,
        feedback: [{ rating: 'down', reason: 'outdated', comment: null, updatedAt: EXAMPLE_TIME }],
        testCaseId: null,
        createdAt: EXAMPLE_TIME,
        doneAt: null,
      },
    ],
  });

const REVIEW = "review the team's questions";

export const listQuestions = operation({
  id: 'listQuestions',
  method: 'get',
  path: '/api/v1/questions',
  summary: 'List questions to review',
  description:
    'Lists questions of all people whose reply has no answer, has low confidence or was rated `down`, newest first. Replies, sources and comments about documents that you cannot read are withheld. Who asked is not shown.',
  access: 'secret',
  fullScopeTo: REVIEW,
  params: none,
  query: pageQuery.extend({
    from: periodQuery.from.meta({ description: 'Default: 30 days before `to`. A period has at most 366 days.' }),
    to: periodQuery.to.meta({ description: 'Default: now.' }),
    kind: kind.optional().meta({ description: 'Only questions of this kind.' }),
    done: booleanText.optional().meta({ description: 'Only questions that are done, or only open ones.' }),
    collection: id.optional().meta({ description: 'Only questions that were asked in this collection by name.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(questionSchema)),
});

export const updateQuestion = operation({
  id: 'updateQuestion',
  method: 'put',
  path: '/api/v1/questions/{id}',
  summary: 'Mark a question as done',
  description: 'Marks a question as done, or as open again.',
  access: 'secret',
  fullScopeTo: REVIEW,
  params: idParams('message'),
  query: none,
  body: jsonBody(
    z
      .strictObject({ done: z.boolean().meta({ description: 'True if it is done.' }) })
      .meta({ examples: [{ done: true }] }),
  ),
  success: 200,
  response: one(questionSchema),
});
