import {
  AgentServiceDefinition,
  type ChatEvent,
  type ChatReply,
  ChatServiceDefinition,
  CollectionServiceDefinition,
  type CompleteAuthorizationResponse,
  CompletionServiceDefinition,
  ConnectorServiceDefinition,
  DocumentServiceDefinition,
  type Event,
  EventServiceDefinition,
  FileServiceDefinition,
  ItemServiceDefinition,
  JobStatus,
  MemoryServiceDefinition,
  ModelEndpointServiceDefinition,
  OAuthServiceDefinition,
  QuestionServiceDefinition,
  type ResolveTestChargesRequest,
  Role,
  RunServiceDefinition,
  ScheduleServiceDefinition,
  SearchModelServiceDefinition,
  SearchRuleServiceDefinition,
  SearchServiceDefinition,
  type SyncJob,
  SyncServiceDefinition,
  SynonymServiceDefinition,
  TemplateServiceDefinition,
  TestCaseServiceDefinition,
  type TestCharge,
  ToolServerServiceDefinition,
} from '@lectern/contracts';
import {
  type Caller,
  createLogger,
  type GrpcServer,
  notFound,
  requireFullScope,
  requireInScope,
  type ServedService,
  type ServiceCall,
  serve,
  startGrpcServer,
} from '@lectern/service-kit';
import { type ReceivedUpload, receiveUpload } from './receive-upload.ts';
import * as records from './records.ts';

const { KNOWN } = records;

/** A call that a service received. */
interface ReceivedCall {
  readonly method: string;
  readonly request: unknown;
  readonly caller: Caller;
}

/** Fake services that return fixed records over real gRPC. Tests can change their behavior. */
export interface Services {
  readonly address: string;
  readonly calls: ReceivedCall[];
  readonly uploads: ReceivedUpload[];
  /** Uploads wait for this promise. */
  uploadGate: Promise<void>;
  /** The team that owns the records. Undefined means every team. */
  teamId: string | undefined;
  /** If set, all calls fail with this error. */
  failWith: Error | undefined;
  /** If set, all documents of a batch but the first fail with this error. */
  failItemsWith: { readonly code: string; readonly message: string } | undefined;
  /** The text of every document. */
  content: string;
  /** The reply of calls that do not stream. */
  reply: ChatReply;
  /** Calls that do not stream wait for this before they return their reply. */
  replyGate: (call: ServiceCall) => Promise<void>;
  /** The events of a streamed reply. */
  chat: (call: ServiceCall) => AsyncIterable<ChatEvent>;
  /** The page of a list of documents. */
  documentPage: typeof pageInfo | undefined;
  /** True if the replies of the conversation are withheld from every reader. */
  withheld: boolean;
  /** True if a browser started the authorization. */
  isBound: boolean;
  /** The result of an authorization. */
  authorization: CompleteAuthorizationResponse;
  /** The charges of test runs that the gateway must decide or settle. */
  readonly testCharges: Map<string, TestCharge>;
  /** What the gateway decided and settled. */
  readonly resolvedCharges: ResolveTestChargesRequest[];
  /** What another gateway does before these are resolved. Returns the granted ones that it has settled. */
  beforeResolve: (request: ResolveTestChargesRequest) => Promise<string[]>;
  /** The events that the services have recorded and the gateway has not stored. */
  readonly events: Event[];
  /** The events that the webhooks of each team need. */
  readonly interests: Map<string, readonly string[]>;
  /** The states of a job that is watched. */
  jobs: (call: ServiceCall) => AsyncIterable<SyncJob>;
  stop(): Promise<void>;
}

const pageInfo = { page: 1, limit: 20, total: 1, hasMore: false };
const searchResponse = { results: [records.searchResult], page: pageInfo, tookMs: 7 };
const unused = (): never => {
  throw new Error('not called by the gateway');
};

async function* completeReply(): AsyncIterable<ChatEvent> {
  const { id, conversationId, sources, usage, answerConfidence } = records.reply;
  yield { id: `${id}.0.0`, event: { $case: 'messageStart', value: { id, conversationId } } };
  yield { id: `${id}.0.7`, event: { $case: 'contentDelta', value: { delta: 'Thirty ' } } };
  yield { id: `${id}.0.17`, event: { $case: 'contentDelta', value: { delta: 'days [1].\n' } } };
  yield {
    id: `${id}.0.17`,
    event: { $case: 'sources', value: { sources, marks: [{ source: 0, start: 12, end: 15 }] } },
  };
  yield {
    id: `${id}.0.17`,
    event: {
      $case: 'messageEnd',
      value: {
        usage,
        answerConfidence,
        model: 'builtin-extractive',
        stopReason: 'end',
        documents: sources.map(({ id: documentId }) => documentId),
      },
    },
  };
}

async function* completeJob(): AsyncIterable<SyncJob> {
  yield records.job;
  yield { ...records.job, status: JobStatus.COMPLETED, completedAt: records.WHEN };
}

function servicesOf(state: Services): readonly ServedService[] {
  const handler = <T>(method: string, create: () => T, known?: readonly [string, string | undefined]) => {
    return async (request: object, call: ServiceCall): Promise<T> => {
      state.calls.push({ method, request, caller: call.caller });
      if (state.failWith !== undefined) throw state.failWith;
      const [field, id] = known ?? [];
      const requestedId = field === undefined ? undefined : String(Reflect.get(request, field));
      if (id === undefined) return create();
      const isForeign = state.teamId !== undefined && call.caller.teamId !== state.teamId;
      if (requestedId !== id || isForeign) throw notFound('record', String(requestedId));
      // All records are in the known collection, except conversations, which belong to a key.
      if (id !== KNOWN.conversation) requireInScope(call.caller, KNOWN.collection);
      else if (call.caller.scope.kind === 'only') throw notFound('record', String(requestedId));
      return create();
    };
  };
  const collectionId = ['id', KNOWN.collection] as const;
  const documentId = ['id', KNOWN.document] as const;
  /** Templates are the same for every team and key. */
  const ofAnyTeam = <T>(method: string, id: string, value: T) =>
    handler(method, () => {
      if (id !== KNOWN.template) throw notFound('template', id);
      return value;
    });
  const testCaseId = ['id', KNOWN.testCase] as const;
  const testRunId = ['id', KNOWN.testRun] as const;
  const searchRuleId = ['id', KNOWN.searchRule] as const;
  const synonymId = ['id', KNOWN.synonym] as const;
  const connectorId = ['id', KNOWN.connector] as const;
  const agentId = ['id', KNOWN.agent] as const;
  const memoryId = ['id', KNOWN.memory] as const;
  const conversationId = ['id', KNOWN.conversation] as const;
  const ofConversation = ['conversationId', KNOWN.conversation] as const;
  const ofCompletion = ['id', KNOWN.message] as const;
  const ofReply = <T>(id: string, value: T): T => {
    if (id !== KNOWN.message) throw notFound('reply', id);
    return value;
  };
  const runId = ['id', KNOWN.run] as const;
  const modelEndpointId = ['id', KNOWN.modelEndpoint] as const;
  const toolServerId = ['id', KNOWN.toolServer] as const;
  const scheduleId = ['id', KNOWN.schedule] as const;
  const ofSchedule = ['scheduleId', KNOWN.schedule] as const;
  const ofServer = ['serverId', KNOWN.toolServer] as const;
  const ofAgent = ['agentId', KNOWN.agent] as const;
  const jobId = ['jobId', KNOWN.job] as const;
  const snapshotId = ['snapshotId', KNOWN.snapshot] as const;
  const ofConnector = ['connectorId', KNOWN.connector] as const;
  const ofDocument = ['documentId', KNOWN.document] as const;
  return [
    serve(CollectionServiceDefinition, {
      createCollection: (request, call) => {
        requireFullScope(call.caller, 'create collections');
        return handler('createCollection', () => records.collection)(request, call);
      },
      getCollection: handler('getCollection', () => records.collection, collectionId),
      listCollections: handler('listCollections', () => ({ collections: [records.collection], page: pageInfo })),
      resolveCollections: async ({ ids }) => {
        for (const id of ids) if (id !== KNOWN.collection) throw notFound('collection', id);
        const { id, name, embeddingModel } = records.collection;
        return { collections: [{ id, name, embeddingModel }], spaces: [], synonymsVersion: '', searchRulesVersion: '' };
      },
      getSpace: unused,
      updateCollection: handler('updateCollection', () => records.collection, collectionId),
      deleteCollection: handler('deleteCollection', () => ({ id: KNOWN.collection }), collectionId),
      refreshStats: handler(
        'refreshStats',
        () => ({ documentCount: 3, embeddingCount: 12, storageBytes: 5_000_000_000, lastSync: records.WHEN }),
        collectionId,
      ),
    }),
    serve(SearchModelServiceDefinition, {
      listSearchModels: handler('listSearchModels', () => ({ models: [records.searchModel] })),
      useSearchModel: handler('useSearchModel', () => records.searchModel),
    }),
    serve(SearchRuleServiceDefinition, {
      listSearchRules: handler('listSearchRules', () => ({ rules: [records.searchRule], page: pageInfo })),
      createSearchRule: handler('createSearchRule', () => records.searchRule, ['collectionId', KNOWN.collection]),
      getSearchRule: handler('getSearchRule', () => records.searchRule, searchRuleId),
      updateSearchRule: handler('updateSearchRule', () => records.searchRule, searchRuleId),
      deleteSearchRule: handler('deleteSearchRule', () => ({ id: KNOWN.searchRule }), searchRuleId),
      importSearchRules: handler('importSearchRules', () => ({ created: 1, updated: 0, unchanged: 0, deleted: 0 }), [
        'collectionId',
        KNOWN.collection,
      ]),
      exportSearchRules: (request, call) => {
        requireFullScope(call.caller, 'access search rules of the whole team');
        return handler('exportSearchRules', () => ({ rules: [records.searchRule] }))(request, call);
      },
      loadSearchRules: unused,
    }),
    serve(SynonymServiceDefinition, {
      listSynonyms: handler('listSynonyms', () => ({ synonyms: [records.synonym], page: pageInfo })),
      createSynonym: handler('createSynonym', () => records.synonym, ['collectionId', KNOWN.collection]),
      getSynonym: handler('getSynonym', () => records.synonym, synonymId),
      updateSynonym: handler('updateSynonym', () => records.synonym, synonymId),
      deleteSynonym: handler('deleteSynonym', () => ({ id: KNOWN.synonym }), synonymId),
      importSynonyms: handler('importSynonyms', () => ({ created: 1, unchanged: 0, deleted: 0 }), [
        'collectionId',
        KNOWN.collection,
      ]),
      exportSynonyms: (request, call) => {
        requireFullScope(call.caller, 'access synonyms of the whole team');
        return handler('exportSynonyms', () => ({
          synonyms: [{ input: [], terms: ['PTO', 'paid time off'], enabled: true }],
          text: 'PTO, paid time off\n',
        }))(request, call);
      },
      listSynonymPacks: handler('listSynonymPacks', () => ({ packs: [records.synonymPack] })),
      updateSynonymPack: handler('updateSynonymPack', () => records.synonymPack),
      loadSynonyms: unused,
    }),
    serve(DocumentServiceDefinition, {
      createDocument: handler('createDocument', () => records.document, ['collectionId', KNOWN.collection]),
      createDocuments: async (request, call) => {
        const results = request.documents.map((_, index) =>
          index > 0 && state.failItemsWith !== undefined
            ? { id: '', updated: false, error: state.failItemsWith }
            : { id: KNOWN.document, updated: false, error: undefined },
        );
        return handler('createDocuments', () => ({ results }), ['collectionId', KNOWN.collection])(request, call);
      },
      registerDocuments: unused,
      indexDocument: unused,
      indexItem: unused,
      setPermissions: unused,
      replaceGroups: unused,
      dropGroups: unused,
      listGroupConnectors: unused,
      failDocument: unused,
      filterReadable: async ({ ids }) => ({ ids: state.withheld ? [] : [...ids] }),
      getIndexingState: unused,
      getDocument: handler('getDocument', () => records.document, documentId),
      getDocumentContent: handler(
        'getDocumentContent',
        () => ({ document: records.document, content: state.content }),
        documentId,
      ),
      getDocumentSummary: handler(
        'getDocumentSummary',
        () => ({ document: records.document, summary: 'Sum' }),
        documentId,
      ),
      getDocumentPages: handler('getDocumentPages', () => ({ pages: [records.documentPage] }), documentId),
      listDocuments: (request, call) => {
        const known = ['collectionId', request.collectionId === undefined ? undefined : KNOWN.collection] as const;
        return handler(
          'listDocuments',
          () => ({ documents: [records.document], page: state.documentPage ?? pageInfo }),
          known,
        )(request, call);
      },
      deleteDocument: handler('deleteDocument', () => ({ id: KNOWN.document }), documentId),
      deleteConnectorDocuments: unused,
    }),
    serve(ConnectorServiceDefinition, {
      createConnector: handler('createConnector', () => records.connector, ['collectionId', KNOWN.collection]),
      getConnector: handler('getConnector', () => records.connector, connectorId),
      listConnectors: handler('listConnectors', () => ({ connectors: [records.connector], page: pageInfo })),
      updateConnector: handler('updateConnector', () => records.connector, connectorId),
      deleteConnector: handler('deleteConnector', () => ({ id: KNOWN.connector }), connectorId),
      testConnector: handler('testConnector', () => records.connectionReport, connectorId),
      testSettings: handler('testSettings', () => records.connectionReport),
      deleteConnectorDocument: handler('deleteConnectorDocument', () => ({ id: KNOWN.document }), ofDocument),
    }),
    serve(OAuthServiceDefinition, {
      initAuthorization: (request, call) => {
        const known = ['collectionId', request.collectionId === undefined ? undefined : KNOWN.collection] as const;
        return handler('initAuthorization', () => records.startedAuthorization, known)(request, call);
      },
      describeAuthorization: handler('describeAuthorization', () => ({
        connectorName: 'Wiki <b>',
        isBound: state.isBound,
      })),
      completeAuthorization: handler('completeAuthorization', () => state.authorization),
    }),
    serve(SyncServiceDefinition, {
      startSync: handler('startSync', () => records.job, ofConnector),
      startPermissionRefresh: handler(
        'startPermissionRefresh',
        () => ({ job: records.job, applicable: true }),
        ofConnector,
      ),
      getJob: handler('getJob', () => records.job, jobId),
      listJobs: handler('listJobs', () => ({ jobs: [records.job], page: pageInfo }), ofConnector),
      cancelJob: handler('cancelJob', () => ({ ...records.job, status: JobStatus.CANCELLED }), jobId),
      async *watchJob(request, call) {
        await handler('watchJob', () => undefined, jobId)(request, call);
        yield* state.jobs(call);
      },
    }),
    serve(FileServiceDefinition, {
      getPageImage: handler('getPageImage', () => records.pageImage, ['documentId', KNOWN.document]),
      listFiles: handler('listFiles', () => ({ files: [records.file], page: pageInfo }), ofConnector),
      uploadFiles: async (parts, { caller }) => {
        if (state.failWith !== undefined) throw state.failWith;
        const upload: ReceivedUpload = { files: [], metadata: undefined, ended: false, aborted: false };
        state.uploads.push(upload);
        await state.uploadGate;
        await receiveUpload(parts, upload, { caller, teamId: state.teamId });
        return { files: [records.file], jobId: KNOWN.job };
      },
      deleteFiles: handler('deleteFiles', () => ({ deleted: [KNOWN.file], notFound: ['gone'] }), ofConnector),
    }),
    serve(ItemServiceDefinition, {
      pushItems: async (request, call) => {
        const results = request.changes.map(({ revision }, at) => ({ accepted: at === 0, revision }));
        return handler('pushItems', () => ({ results, jobId: KNOWN.job }), ofConnector)(request, call);
      },
      listItems: handler('listItems', () => ({ items: [records.item], page: pageInfo }), ofConnector),
      getItem: handler('getItem', () => records.item, ofConnector),
      deleteItem: handler('deleteItem', () => ({ deleted: true, jobId: KNOWN.job }), ofConnector),
      startSnapshot: handler('startSnapshot', () => records.snapshot, ofConnector),
      getSnapshot: handler('getSnapshot', () => records.snapshot, snapshotId),
      completeSnapshot: handler('completeSnapshot', () => records.snapshot, snapshotId),
      cancelSnapshot: handler('cancelSnapshot', () => records.snapshot, snapshotId),
    }),
    serve(SearchServiceDefinition, {
      search: handler('search', () => searchResponse),
      searchFaceted: handler('searchFaceted', () => ({ search: searchResponse, facets: records.facets })),
      searchDocsSite: handler('searchDocsSite', () => ({ results: [records.searchResult], tookMs: 7 })),
      suggestQueries: handler('suggestQueries', () => ({
        suggestions: [
          { text: 'annual leave', documentId: undefined },
          { text: 'Leave', documentId: KNOWN.document },
        ],
      })),
      embed: handler('embed', () => ({ embeddings: [{ values: [0.5, -0.25] }], tokens: 3 })),
      listEmbeddingModels: handler('listEmbeddingModels', () => ({
        models: [{ id: 'openai/text-embedding-3-small', provider: 'openai' }],
      })),
    }),
    serve(CompletionServiceDefinition, {
      async *complete(request, call) {
        await handler('complete', () => undefined)(request, call);
        yield* state.chat(call);
      },
      getCompletion: handler('getCompletion', () => records.completion, ofCompletion),
      deleteCompletion: handler('deleteCompletion', () => ({ id: KNOWN.message }), ofCompletion),
    }),
    serve(ChatServiceDefinition, {
      chat: async (request, call) => {
        const reply = await handler('chat', () => state.reply)(request, call);
        await state.replyGate(call);
        return reply;
      },
      async *streamChat(request, call) {
        const known = ['agentId', request.agentId === undefined ? undefined : KNOWN.agent] as const;
        await handler('streamChat', () => undefined, known)(request, call);
        yield* state.chat(call);
      },
      async *resumeChat(request, call) {
        state.calls.push({ method: 'resumeChat', request, caller: call.caller });
        if (state.failWith !== undefined) throw state.failWith;
        yield* state.chat(call);
      },
      regenerate: handler('regenerate', () => records.reply, ofConversation),
      async *streamRegenerate(request, call) {
        await handler('streamRegenerate', () => records.reply, ofConversation)(request, call);
        yield* state.chat(call);
      },
      listConversations: handler('listConversations', () => ({
        conversations: [records.conversation],
        page: pageInfo,
      })),
      getConversation: handler(
        'getConversation',
        () => ({
          ...records.conversation,
          messages: records.conversation.messages.map((message) =>
            message.role === Role.USER
              ? message
              : {
                  ...message,
                  id: state.reply.id,
                  content: state.reply.content,
                  sources: state.reply.sources,
                  withheld: state.withheld,
                },
          ),
        }),
        conversationId,
      ),
      listModels: handler('listModels', () => ({
        models: [
          {
            id: 'builtin-extractive',
            provider: 'builtin',
            contextWindow: 128_000,
            recommendedMaxTokens: 100_000,
            defaultMaxOutput: 1_024,
            maxOutput: 4_096,
            supportsTools: false,
            isDefault: true,
          },
        ],
      })),
      getRetention: handler('getRetention', () => ({ conversationDays: undefined })),
      setRetention: handler('setRetention', () => ({ conversationDays: 180 })),
      updateConversation: handler('updateConversation', () => records.conversation, conversationId),
      deleteConversation: handler('deleteConversation', () => ({ id: KNOWN.conversation }), conversationId),
      getSuggestions: handler('getSuggestions', () => ({
        questions: ['How many days of leave do I have?'],
        searchable: true,
        pendingCount: 2,
      })),
      setFeedback: async (request, call) => {
        await handler('setFeedback', () => undefined, ofConversation)(request, call);
        return ofReply(request.messageId, records.feedback);
      },
      deleteFeedback: async (request, call) => {
        await handler('deleteFeedback', () => undefined, ofConversation)(request, call);
        return ofReply(request.messageId, { messageId: KNOWN.message });
      },
    }),
    serve(QuestionServiceDefinition, {
      listQuestions: handler('listQuestions', () => ({ questions: [records.question], page: pageInfo })),
      setQuestionDone: handler('setQuestionDone', () => ({ ...records.question, doneAt: records.WHEN }), [
        'id',
        KNOWN.message,
      ]),
    }),
    serve(EventServiceDefinition, {
      pullEvents: async ({ storedIds, limit }) => {
        const left = state.events.filter(({ id }) => !storedIds.includes(id));
        state.events.splice(0, state.events.length, ...left);
        return { events: left.slice(0, limit) };
      },
      setInterests: async ({ interests }) => {
        for (const { teamId, types } of interests) state.interests.set(teamId, types);
        return {};
      },
    }),
    serve(TestCaseServiceDefinition, {
      listTestCases: handler('listTestCases', () => ({ testCases: [records.testCase], page: pageInfo })),
      createTestCase: handler('createTestCase', () => records.testCase),
      getTestCase: handler('getTestCase', () => records.testCase, testCaseId),
      updateTestCase: handler('updateTestCase', () => records.testCase, testCaseId),
      deleteTestCase: handler('deleteTestCase', () => ({ id: KNOWN.testCase }), testCaseId),
      importTestCases: handler('importTestCases', () => ({ created: 1, updated: 0, deleted: 0 })),
      exportTestCases: handler('exportTestCases', () => ({ testCases: [records.testCase] })),
      startTestRun: handler('startTestRun', () => records.testRun),
      listTestRuns: handler('listTestRuns', () => ({ runs: [records.testRun], page: pageInfo })),
      getTestRun: handler('getTestRun', () => records.testRun, testRunId),
      cancelTestRun: handler('cancelTestRun', () => records.testRun, testRunId),
      listTestResults: handler('listTestResults', () => ({ results: [records.testResult], page: pageInfo }), [
        'runId',
        KNOWN.testRun,
      ]),
      getTestSchedule: handler('getTestSchedule', () => records.testSchedule),
      setTestSchedule: handler('setTestSchedule', () => records.testSchedule),
      // The gateway calls these in the background, so they are not recorded.
      listTestCharges: async () => ({ charges: [...state.testCharges.values()] }),
      resolveTestCharges: async (request) => {
        const notGranted = await state.beforeResolve(request);
        state.resolvedCharges.push(request);
        for (const id of [...request.granted, ...request.settled]) state.testCharges.delete(id);
        for (const { id } of request.refused) state.testCharges.delete(id);
        return { notGranted };
      },
    }),
    serve(AgentServiceDefinition, {
      createAgent: handler('createAgent', () => records.agent),
      getAgent: handler('getAgent', () => records.agent, agentId),
      listAgents: handler('listAgents', () => ({ agents: [records.agent], page: pageInfo })),
      updateAgent: handler('updateAgent', () => records.agent, agentId),
      deleteAgent: handler('deleteAgent', () => ({ id: KNOWN.agent }), agentId),
    }),
    serve(MemoryServiceDefinition, {
      createMemory: async (request, call) => {
        const memory = await handler('createMemory', () => records.memory, ofAgent)(request, call);
        return { memory, merged: request.content === 'Known before.' };
      },
      getMemory: handler('getMemory', () => records.memory, memoryId),
      listMemories: handler('listMemories', () => ({ memories: [records.memory], page: pageInfo }), ofAgent),
      searchMemories: handler('searchMemories', () => ({ hits: [{ memory: records.memory, score: 0.7 }] }), ofAgent),
      updateMemory: handler('updateMemory', () => records.memory, memoryId),
      deleteMemory: handler('deleteMemory', () => ({ id: KNOWN.memory }), memoryId),
    }),
    serve(ScheduleServiceDefinition, {
      createSchedule: handler('createSchedule', () => records.schedule, ofAgent),
      getSchedule: handler('getSchedule', () => records.schedule, scheduleId),
      listSchedules: handler('listSchedules', () => ({ schedules: [records.schedule], page: pageInfo }), ofAgent),
      updateSchedule: handler('updateSchedule', () => records.schedule, scheduleId),
      deleteSchedule: handler('deleteSchedule', () => ({ id: KNOWN.schedule }), scheduleId),
      startSchedule: handler('startSchedule', () => records.scheduleRun, scheduleId),
      listScheduleRuns: handler(
        'listScheduleRuns',
        () => ({ runs: [records.scheduleRun], page: pageInfo }),
        ofSchedule,
      ),
      claimScheduleRuns: () => Promise.resolve({ runs: [] }),
      renewScheduleRun: () => Promise.resolve({ held: false }),
      noteScheduleRun: () => Promise.resolve({}),
      endScheduleRun: () => Promise.resolve({}),
      claimScheduleDeliveries: () => Promise.resolve({ deliveries: [] }),
      endScheduleDelivery: () => Promise.resolve({}),
    }),
    serve(ModelEndpointServiceDefinition, {
      createModelEndpoint: handler('createModelEndpoint', () => records.modelEndpoint),
      getModelEndpoint: handler('getModelEndpoint', () => records.modelEndpoint, modelEndpointId),
      listModelEndpoints: handler('listModelEndpoints', () => ({
        endpoints: [records.modelEndpoint],
        page: pageInfo,
      })),
      updateModelEndpoint: handler('updateModelEndpoint', () => records.modelEndpoint, modelEndpointId),
      deleteModelEndpoint: handler('deleteModelEndpoint', () => ({ id: KNOWN.modelEndpoint }), modelEndpointId),
      testModelEndpoint: handler('testModelEndpoint', () => ({
        success: true,
        latencyMs: 5,
        models: records.modelEndpoint.models,
        model: 'llama-3',
      })),
      getModelSettings: handler('getModelSettings', () => ({ defaultModel: 'llama-3' })),
      setModelSettings: handler('setModelSettings', () => ({ defaultModel: 'llama-3' })),
    }),
    serve(ToolServerServiceDefinition, {
      createToolServer: handler('createToolServer', () => records.toolServer),
      getToolServer: handler('getToolServer', () => records.toolServer, toolServerId),
      listToolServers: handler('listToolServers', () => ({ servers: [records.toolServer], page: pageInfo })),
      updateToolServer: handler('updateToolServer', () => records.toolServer, toolServerId),
      deleteToolServer: handler('deleteToolServer', () => ({ id: KNOWN.toolServer }), toolServerId),
      refreshTools: handler('refreshTools', () => records.toolServer, toolServerId),
      testToolServer: handler('testToolServer', () => ({ success: true, latencyMs: 5, toolCount: 1 }), toolServerId),
      listServerTools: (request, call) =>
        request.serverId === ''
          ? handler('listServerTools', () => ({ tools: [records.serverTool], page: pageInfo }))(request, call)
          : handler(
              'listServerTools',
              () => ({ tools: [records.serverTool], page: pageInfo }),
              ofServer,
            )(request, call),
      updateServerTool: handler('updateServerTool', () => records.serverTool, ofServer),
    }),
    serve(RunServiceDefinition, {
      executeAgent: unused,
      listRuns: handler('listRuns', () => ({ runs: [{ ...records.run, steps: [] }], page: pageInfo }), ofAgent),
      getRun: handler('getRun', () => records.run, runId),
      cancelRun: handler('cancelRun', () => records.run, runId),
      listApprovals: handler('listApprovals', () => ({ approvals: [records.approval] }), ['runId', KNOWN.run]),
      listWaitingApprovals: handler('listWaitingApprovals', () => ({ approvals: [records.approval] })),
      decideApproval: handler('decideApproval', () => records.approval, ['id', KNOWN.approval]),
      setRunRetention: handler('setRunRetention', () => ({ runDays: 180 })),
    }),
    serve(TemplateServiceDefinition, {
      listTemplates: handler('listTemplates', () => ({ templates: [records.template], page: pageInfo })),
      getTemplate: (request, call) => ofAnyTeam('getTemplate', request.id, records.template)(request, call),
      createFromTemplate: (request, call) =>
        ofAnyTeam('createFromTemplate', request.templateId, records.agent)(request, call),
    }),
  ];
}

/** Starts all services on one free port. */
export async function startServices(): Promise<Services> {
  let server: GrpcServer | undefined;
  const state: Services = {
    address: '',
    calls: [],
    uploads: [],
    teamId: undefined,
    uploadGate: Promise.resolve(),
    failWith: undefined,
    failItemsWith: undefined,
    content: 'Text',
    reply: records.reply,
    replyGate: async () => undefined,
    chat: completeReply,
    jobs: completeJob,
    documentPage: undefined,
    events: [],
    interests: new Map(),
    withheld: false,
    testCharges: new Map(),
    resolvedCharges: [],
    beforeResolve: async () => [],
    isBound: false,
    authorization: { connectorId: KNOWN.connector, provider: 'notion', success: true },
    stop: async () => server?.stop(),
  };
  server = await startGrpcServer({
    address: '127.0.0.1:0',
    services: servicesOf(state),
    log: createLogger({ service: 'fake', level: 'silent' }),
    shutdownTimeoutMs: 100,
  });
  return Object.assign(state, { address: `127.0.0.1:${server.port}` });
}
