import { questions } from '@lectern/api-spec';
import { QuestionKind, type ReviewedQuestion } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { data, page } from '#http/api-response';
import { confidence, feedbackRecord, source } from '#operations/chat/mapping';
import { enumText, time } from '#operations/convert';
import { route } from '#pipeline/operation';

const KINDS = {
  unanswered: QuestionKind.UNANSWERED,
  low_confidence: QuestionKind.LOW_CONFIDENCE,
  down_voted: QuestionKind.DOWN_VOTED,
} as const;

function questionRecord(question: ReviewedQuestion) {
  return {
    id: question.id,
    question: question.question,
    kinds: question.kinds.map((kind) => enumText(QuestionKind, kind)),
    collections: question.collectionIds,
    content: question.content,
    sources: question.sources.map(source),
    answer_confidence: confidence(question.confidence),
    withheld: question.withheld,
    feedback: question.feedback.map(feedbackRecord),
    testCaseId: question.testCaseId ?? null,
    createdAt: time(question.createdAt),
    doneAt: time(question.doneAt),
  };
}

export const questionRoutes = [
  route(questions.listQuestions, async (ctx, { query: { kind, collection, done, from, to, ...paging } }, call) => {
    const filter = { kind: kind && KINDS[kind], collectionId: collection, done, from, to };
    const response = await ctx.clients.questions.listQuestions({ ...filter, page: paging }, onBehalfOf(call));
    return page(response.questions.map(questionRecord), response.page);
  }),

  route(questions.updateQuestion, async (ctx, { params, body }, call) =>
    data(questionRecord(await ctx.clients.questions.setQuestionDone({ ...params, ...body }, onBehalfOf(call)))),
  ),
];
