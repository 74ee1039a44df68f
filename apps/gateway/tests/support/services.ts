import {
  AgentServiceDefinition,
  type ChatEvent,
  type ChatReply,
  ChatServiceDefinition,
  CollectionServiceDefinition,
  type CompleteAuthorizationResponse,
  ConnectorServiceDefinition,
  DocumentServiceDefinition,
  FileServiceDefinition,
  JobStatus,
  MemoryServiceDefinition,
  OAuthServiceDefinition,
  Role,
  RunServiceDefinition,
  SearchServiceDefinition,
  type SyncJob,
  SyncServiceDefinition,
  TemplateServiceDefinition,
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

/** A call that reached a service. */
interface SeenCall {
  readonly method: string;
  readonly request: unknown;
  readonly caller: Caller;
}

/** The services behind the gateway, answering canned records over real gRPC. A test may change what they do. */
export interface Services {
  readonly address: string;
  readonly calls: SeenCall[];
  readonly uploads: ReceivedUpload[];
  /** An upload is received once this is resolved. */
  uploadGate: Promise<void>;
  /** The team whose records the services know; any team's until it is set. */
  teamId: string | undefined;
  /** Throws in place of the next answers, where set. */
  failWith: Error | undefined;
  /** The text of every document. */
  content: string;
  /** A reply as a whole. */
  reply: ChatReply;
  /** A complete reply is returned once this resolves. */
  replyGate: (call: ServiceCall) => Promise<void>;
  /** The reply's events. */
  chat: (call: ServiceCall) => AsyncIterable<ChatEvent>;
  /** True if the conversation's replies are withheld from every reader. */
  withheld: boolean;
  /** True if a browser started the authorization. */
  isBound: boolean;
  /** What an authorization comes to. */
  authorization: CompleteAuthorizationResponse;
  /** A job's changes. */
  jobs: (call: ServiceCall) => AsyncIterable<SyncJob>;
  stop(): Promise<void>;
}

const pageInfo = { page: 1, limit: 20, total: 1, hasMore: false };
const searched = { results: [records.searchResult], page: pageInfo, tookMs: 7 };
const unused = (): never => {
  throw new Error('not called by the gateway');
};

async function* wholeReply(): AsyncIterable<ChatEvent> {
  const { id, conversationId, sources, usage, answerConfidence } = records.reply;
  yield { id: `${id}.0.0`, event: { $case: 'messageStart', value: { id, conversationId } } };
  yield { id: `${id}.0.7`, event: { $case: 'contentDelta', value: { delta: 'Thirty ' } } };
  yield { id: `${id}.0.17`, event: { $case: 'contentDelta', value: { delta: 'days [1].\n' } } };
  yield { id: `${id}.0.17`, event: { $case: 'sources', value: { sources } } };
  yield { id: `${id}.0.17`, event: { $case: 'messageEnd', value: { usage, answerConfidence } } };
}

async function* wholeJob(): AsyncIterable<SyncJob> {
  yield records.job;
  yield { ...records.job, status: JobStatus.COMPLETED, completedAt: records.WHEN };
}

function servicesOf(state: Services): readonly ServedService[] {
  const answer = <T>(method: string, make: () => T, known?: readonly [string, string | undefined]) => {
    return async (request: object, call: ServiceCall): Promise<T> => {
      state.calls.push({ method, request, caller: call.caller });
      if (state.failWith !== undefined) throw state.failWith;
      const [field, id] = known ?? [];
      const given = field === undefined ? undefined : String(Reflect.get(request, field));
      if (id === undefined) return make();
      const isForeign = state.teamId !== undefined && call.caller.teamId !== state.teamId;
      if (given !== id || isForeign) throw notFound('record', String(given));
      // Whatever has an id is in the one collection; conversations are their key's.
      if (id !== KNOWN.conversation) requireInScope(call.caller, KNOWN.collection);
      else if (call.caller.scope.kind === 'only') throw notFound('record', String(given));
      return make();
    };
  };
  const collectionId = ['id', KNOWN.collection] as const;
  const documentId = ['id', KNOWN.document] as const;
  /** Templates are the same for every team and key. */
  const ofAnyTeam = <T>(method: string, id: string, made: T) =>
    answer(method, () => {
      if (id !== KNOWN.template) throw notFound('template', id);
      return made;
    });
  const connectorId = ['id', KNOWN.connector] as const;
  const agentId = ['id', KNOWN.agent] as const;
  const memoryId = ['id', KNOWN.memory] as const;
  const conversationId = ['id', KNOWN.conversation] as const;
  const ofConversation = ['conversationId', KNOWN.conversation] as const;
  const runId = ['id', KNOWN.run] as const;
  const ofAgent = ['agentId', KNOWN.agent] as const;
  const jobId = ['jobId', KNOWN.job] as const;
  const ofConnector = ['connectorId', KNOWN.connector] as const;
  const ofDocument = ['documentId', KNOWN.document] as const;
  return [
    serve(CollectionServiceDefinition, {
      createCollection: (request, call) => {
        requireFullScope(call.caller, 'create collections');
        return answer('createCollection', () => records.collection)(request, call);
      },
      getCollection: answer('getCollection', () => records.collection, collectionId),
      listCollections: answer('listCollections', () => ({ collections: [records.collection], page: pageInfo })),
      resolveCollections: async ({ ids }) => {
        for (const id of ids) if (id !== KNOWN.collection) throw notFound('collection', id);
        return { collections: [], spaces: [] };
      },
      getSpace: unused,
      updateCollection: answer('updateCollection', () => records.collection, collectionId),
      deleteCollection: answer('deleteCollection', () => ({ id: KNOWN.collection }), collectionId),
      refreshStats: answer(
        'refreshStats',
        () => ({ documentCount: 3, embeddingCount: 12, storageBytes: 5_000_000_000, lastSync: records.WHEN }),
        collectionId,
      ),
    }),
    serve(DocumentServiceDefinition, {
      createDocument: answer('createDocument', () => records.document, ['collectionId', KNOWN.collection]),
      registerDocuments: unused,
      indexDocument: unused,
      indexItem: unused,
      setPermissions: unused,
      replaceGroups: unused,
      dropGroups: unused,
      listGroupConnectors: unused,
      failDocument: unused,
      filterReadable: async ({ ids }) => ({ ids: [...ids] }),
      getDocument: answer('getDocument', () => records.document, documentId),
      getDocumentContent: answer(
        'getDocumentContent',
        () => ({ document: records.document, content: state.content }),
        documentId,
      ),
      getDocumentSummary: answer(
        'getDocumentSummary',
        () => ({ document: records.document, summary: 'Sum' }),
        documentId,
      ),
      listDocuments: (request, call) => {
        const known = ['collectionId', request.collectionId === undefined ? undefined : KNOWN.collection] as const;
        return answer('listDocuments', () => ({ documents: [records.document], page: pageInfo }), known)(request, call);
      },
      deleteDocument: answer('deleteDocument', () => ({ id: KNOWN.document }), documentId),
      deleteConnectorDocuments: unused,
    }),
    serve(ConnectorServiceDefinition, {
      createConnector: answer('createConnector', () => records.connector, ['collectionId', KNOWN.collection]),
      getConnector: answer('getConnector', () => records.connector, connectorId),
      listConnectors: answer('listConnectors', () => ({ connectors: [records.connector], page: pageInfo })),
      updateConnector: answer('updateConnector', () => records.connector, connectorId),
      deleteConnector: answer('deleteConnector', () => ({ id: KNOWN.connector }), connectorId),
      testConnector: answer('testConnector', () => records.connectionReport, connectorId),
      testSettings: answer('testSettings', () => records.connectionReport),
      deleteConnectorDocument: answer('deleteConnectorDocument', () => ({ id: KNOWN.document }), ofDocument),
    }),
    serve(OAuthServiceDefinition, {
      initAuthorization: (request, call) => {
        const known = ['collectionId', request.collectionId === undefined ? undefined : KNOWN.collection] as const;
        return answer('initAuthorization', () => records.begunAuthorization, known)(request, call);
      },
      describeAuthorization: answer('describeAuthorization', () => ({
        connectorName: 'Wiki <b>',
        isBound: state.isBound,
      })),
      completeAuthorization: answer('completeAuthorization', () => state.authorization),
    }),
    serve(SyncServiceDefinition, {
      startSync: answer('startSync', () => records.job, ofConnector),
      startPermissionRefresh: answer(
        'startPermissionRefresh',
        () => ({ job: records.job, applicable: true }),
        ofConnector,
      ),
      getJob: answer('getJob', () => records.job, jobId),
      listJobs: answer('listJobs', () => ({ jobs: [records.job], page: pageInfo }), ofConnector),
      cancelJob: answer('cancelJob', () => ({ ...records.job, status: JobStatus.CANCELLED }), jobId),
      async *watchJob(request, call) {
        await answer('watchJob', () => undefined, jobId)(request, call);
        yield* state.jobs(call);
      },
    }),
    serve(FileServiceDefinition, {
      listFiles: answer('listFiles', () => ({ files: [records.file], page: pageInfo }), ofConnector),
      uploadFiles: async (parts, { caller }) => {
        if (state.failWith !== undefined) throw state.failWith;
        const upload: ReceivedUpload = { files: [], metadata: undefined, ended: false, brokenOff: false };
        state.uploads.push(upload);
        await state.uploadGate;
        await receiveUpload(parts, upload, { caller, teamId: state.teamId });
        return { files: [records.file], jobId: KNOWN.job };
      },
      deleteFiles: answer('deleteFiles', () => ({ deleted: [KNOWN.file], notFound: ['gone'] }), ofConnector),
    }),
    serve(SearchServiceDefinition, {
      search: answer('search', () => searched),
      searchFaceted: answer('searchFaceted', () => ({ search: searched, facets: records.facets })),
      searchDocsSite: answer('searchDocsSite', () => ({ results: [records.searchResult], tookMs: 7 })),
    }),
    serve(ChatServiceDefinition, {
      chat: async (request, call) => {
        const reply = await answer('chat', () => state.reply)(request, call);
        await state.replyGate(call);
        return reply;
      },
      async *streamChat(request, call) {
        const known = ['agentId', request.agentId === undefined ? undefined : KNOWN.agent] as const;
        await answer('streamChat', () => undefined, known)(request, call);
        yield* state.chat(call);
      },
      async *resumeChat(request, call) {
        state.calls.push({ method: 'resumeChat', request, caller: call.caller });
        if (state.failWith !== undefined) throw state.failWith;
        yield* state.chat(call);
      },
      regenerate: answer('regenerate', () => records.reply, ofConversation),
      async *streamRegenerate(request, call) {
        await answer('streamRegenerate', () => records.reply, ofConversation)(request, call);
        yield* state.chat(call);
      },
      listConversations: answer('listConversations', () => ({ conversations: [records.conversation], page: pageInfo })),
      getConversation: answer(
        'getConversation',
        () => ({
          ...records.conversation,
          messages: records.conversation.messages.map((message) =>
            message.role === Role.USER ? message : { ...message, id: state.reply.id, withheld: state.withheld },
          ),
        }),
        conversationId,
      ),
      listModels: answer('listModels', () => ({
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
      deleteConversation: answer('deleteConversation', () => ({ id: KNOWN.conversation }), conversationId),
    }),
    serve(AgentServiceDefinition, {
      createAgent: answer('createAgent', () => records.agent),
      getAgent: answer('getAgent', () => records.agent, agentId),
      listAgents: answer('listAgents', () => ({ agents: [records.agent], page: pageInfo })),
      updateAgent: answer('updateAgent', () => records.agent, agentId),
      deleteAgent: answer('deleteAgent', () => ({ id: KNOWN.agent }), agentId),
    }),
    serve(MemoryServiceDefinition, {
      createMemory: async (request, call) => {
        const memory = await answer('createMemory', () => records.memory, ofAgent)(request, call);
        return { memory, merged: request.content === 'Known before.' };
      },
      getMemory: answer('getMemory', () => records.memory, memoryId),
      listMemories: answer('listMemories', () => ({ memories: [records.memory], page: pageInfo }), ofAgent),
      searchMemories: answer('searchMemories', () => ({ hits: [{ memory: records.memory, score: 0.7 }] }), ofAgent),
      updateMemory: answer('updateMemory', () => records.memory, memoryId),
      deleteMemory: answer('deleteMemory', () => ({ id: KNOWN.memory }), memoryId),
    }),
    serve(RunServiceDefinition, {
      executeAgent: unused,
      listRuns: answer('listRuns', () => ({ runs: [{ ...records.run, steps: [] }], page: pageInfo }), ofAgent),
      getRun: answer('getRun', () => records.run, runId),
      cancelRun: answer('cancelRun', () => records.run, runId),
    }),
    serve(TemplateServiceDefinition, {
      listTemplates: answer('listTemplates', () => ({ templates: [records.template], page: pageInfo })),
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
    content: 'Text',
    reply: records.reply,
    replyGate: async () => undefined,
    chat: wholeReply,
    jobs: wholeJob,
    withheld: false,
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
