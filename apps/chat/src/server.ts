import { fileURLToPath } from 'node:url';
import {
  ChatServiceDefinition,
  CompletionServiceDefinition,
  ModelEndpointServiceDefinition,
  QuestionServiceDefinition,
  TeamModelServiceDefinition,
  TestCaseServiceDefinition,
} from '@lectern/contracts';
import { eventService, maintainEvents } from '@lectern/events';
import {
  AppError,
  applyMigrations,
  notForEndUsers,
  type RunningService,
  repeat,
  serve,
  startGrpcService,
} from '@lectern/service-kit';
import type { Config } from '#config';
import { type Context, createContext, SCHEMA } from '#context';
import { removeEmptyConversations } from '#conversations/remove-empty';
import { removeOldCompletions, removeOldConversations } from '#conversations/retention';
import { chat, regenerate, streamChat, streamRegenerate } from '#handlers/chat';
import { complete, deleteCompletion, getCompletion } from '#handlers/completions';
import { deleteConversation } from '#handlers/delete-conversation';
import { deleteFeedback } from '#handlers/delete-feedback';
import { getConversation } from '#handlers/get-conversation';
import { getSuggestions } from '#handlers/get-suggestions';
import { listConversations } from '#handlers/list-conversations';
import { listModels } from '#handlers/list-models';
import {
  createModelEndpoint,
  deleteModelEndpoint,
  getModelEndpoint,
  listModelEndpoints,
  testModelEndpoint,
  updateModelEndpoint,
} from '#handlers/model-endpoints';
import { getModelSettings, getTeamModels, setModelSettings } from '#handlers/model-settings';
import { listQuestions, setQuestionDone } from '#handlers/questions';
import { resumeChat } from '#handlers/resume-chat';
import { getRetention, setRetention } from '#handlers/retention';
import { setFeedback } from '#handlers/set-feedback';
import {
  createTestCase,
  deleteTestCase,
  exportTestCases,
  getTestCase,
  importTestCases,
  listTestCases,
  updateTestCase,
} from '#handlers/test-cases';
import {
  cancelTestRun,
  getTestRun,
  getTestSchedule,
  listTestCharges,
  listTestResults,
  listTestRuns,
  resolveTestCharges,
  setTestSchedule,
  startTestRun,
} from '#handlers/test-runs';
import { updateConversation } from '#handlers/update-conversation';
import { rewrapEndpointKeys } from '#model-endpoints/rewrap-endpoint-keys';
import { removeExpiredReplies } from '#replies/remove-expired';
import { removeStaleCharges } from '#test-runs/charge-store';
import { startTestRuns } from '#test-runs/run-worker';

const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
const CLEAN_UP_MS = 300_000;
const REWRAP_MS = 60_000;

/** Starts the chat service. */
export async function startChat(config: Config, overrides: Partial<Context> = {}): Promise<RunningService> {
  await applyMigrations({ url: config.DATABASE_URL, schema: SCHEMA, dir: MIGRATIONS });
  const context = createContext(config, overrides);
  await context.db.$connect();
  const { db, log, secrets } = context;
  return startGrpcService({
    name: 'chat',
    config,
    log,
    services: [
      serve(ChatServiceDefinition, {
        chat: chat(context),
        streamChat: streamChat(context),
        resumeChat: resumeChat(context),
        regenerate: regenerate(context),
        streamRegenerate: streamRegenerate(context),
        listConversations: listConversations(context),
        getConversation: getConversation(context),
        updateConversation: updateConversation(context),
        deleteConversation: deleteConversation(context),
        setFeedback: setFeedback(context),
        deleteFeedback: deleteFeedback(context),
        getSuggestions: getSuggestions(context),
        listModels: listModels(context),
        getRetention: notForEndUsers(getRetention(context)),
        setRetention: notForEndUsers(setRetention(context)),
      }),
      serve(CompletionServiceDefinition, {
        complete: complete(context),
        getCompletion: getCompletion(context),
        deleteCompletion: deleteCompletion(context),
      }),
      serve(QuestionServiceDefinition, {
        listQuestions: listQuestions(context),
        setQuestionDone: setQuestionDone(context),
      }),
      serve(ModelEndpointServiceDefinition, {
        createModelEndpoint: notForEndUsers(createModelEndpoint(context)),
        getModelEndpoint: notForEndUsers(getModelEndpoint(context)),
        listModelEndpoints: notForEndUsers(listModelEndpoints(context)),
        updateModelEndpoint: notForEndUsers(updateModelEndpoint(context)),
        deleteModelEndpoint: notForEndUsers(deleteModelEndpoint(context)),
        testModelEndpoint: notForEndUsers(testModelEndpoint(context)),
        getModelSettings: notForEndUsers(getModelSettings(context)),
        setModelSettings: notForEndUsers(setModelSettings(context)),
      }),
      serve(TeamModelServiceDefinition, { getTeamModels: getTeamModels(context) }),
      serve(TestCaseServiceDefinition, {
        listTestCases: listTestCases(context),
        createTestCase: createTestCase(context),
        getTestCase: getTestCase(context),
        updateTestCase: updateTestCase(context),
        deleteTestCase: deleteTestCase(context),
        importTestCases: importTestCases(context),
        exportTestCases: exportTestCases(context),
        startTestRun: startTestRun(context),
        listTestRuns: listTestRuns(context),
        getTestRun: getTestRun(context),
        cancelTestRun: cancelTestRun(context),
        listTestResults: listTestResults(context),
        getTestSchedule: getTestSchedule(context),
        setTestSchedule: setTestSchedule(context),
        listTestCharges: listTestCharges(context),
        resolveTestCharges: resolveTestCharges(context),
      }),
      eventService(db),
    ],
    dependencies: { postgresql: () => db.$queryRaw`SELECT 1` },
    startWork: () => [
      maintainEvents(db, log),
      repeat({ name: 'remove old replies and conversations', intervalMs: CLEAN_UP_MS, log }, async (signal) => {
        await removeExpiredReplies(db);
        await removeStaleCharges(db);
        await removeEmptyConversations(db);
        await removeOldConversations(db, signal);
        await removeOldCompletions(db, signal);
      }),
      repeat({ name: 'rewrap keys', intervalMs: REWRAP_MS, log }, (signal) =>
        rewrapEndpointKeys(db, secrets, log, signal),
      ),
      ...startTestRuns(context),
    ],
    drain: () => {
      context.ending.abort(new AppError('unavailable', 'The service is stopping.'));
      return Promise.all(context.turns);
    },
    close: () => context.close(),
  });
}
