import {
  type Agent,
  type Approval,
  ApprovalStatus,
  type ChatReply,
  type Collection,
  type Completion,
  type ConnectionReport,
  type Connector,
  ConnectorStatus,
  type Conversation,
  type Document,
  type DocumentPage,
  DocumentStatus,
  type Facet,
  type Feedback,
  FeedbackReason,
  type InitAuthorizationResponse,
  JobKind,
  JobStatus,
  type Memory,
  MemoryKind,
  MessageStatus,
  type ModelEndpoint,
  type PageImage,
  type PushedItem,
  QuestionKind,
  Rating,
  type ReviewedQuestion,
  Role,
  type Run,
  RunStatus,
  type Schedule,
  ScheduleDeliveryStatus,
  type ScheduleRun,
  ScheduleRunStatus,
  type SearchModel,
  SearchModelState,
  type SearchResult,
  type SearchRule,
  SearchRuleMatch,
  type ServerTool,
  ServerToolStatus,
  type Snapshot,
  SnapshotStatus,
  type SourceFile,
  Speaker,
  type SyncJob,
  SyncMode,
  type Synonym,
  type SynonymPack,
  type Template,
  type TestCase,
  TestOutcome,
  type TestResult,
  type TestRun,
  TestRunStatus,
  type TestSchedule,
  type ToolServer,
} from '@lectern/contracts';

const id = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`;

/** Well-formed ids that the fake services know. */
export const KNOWN = {
  /** A key pair of the team whose keys are not used. */
  key: id('key'),
  /** A person of the team, an editor. */
  person: id('per'),
  invitation: id('inv'),
  identityProvider: id('idp'),
  slackApp: id('slk'),
  scimToken: id('sct'),
  appClient: id('acl'),
  app: id('app'),
  /** A group that admins manage. */
  group: id('grp'),
  passkey: id('psk'),
  session: id('ses'),
  collection: id('col'),
  document: id('doc'),
  synonym: id('syn'),
  searchRule: id('rule'),
  connector: id('con'),
  job: id('job'),
  agent: id('agt'),
  memory: id('mem'),
  run: id('run'),
  toolServer: id('tsv'),
  modelEndpoint: id('mep'),
  schedule: id('sch'),
  scheduleRun: id('srun'),
  approval: id('apr'),
  template: id('tpl'),
  conversation: id('conv'),
  file: id('file'),
  snapshot: id('snap'),
  message: id('msg'),
  search: id('srch'),
  testCase: id('case'),
  testRun: id('trun'),
  webhook: id('whk'),
  delivery: id('dlv'),
} as const;

/** Returns a well-formed id that they do not know. */
export const unknownId = (known: string) => known.replace(/02q$/, '0zz');

export const WHEN = new Date('2026-11-21T10:00:00.123Z');
export const WHEN_TEXT = '2026-11-21T10:00:00.123Z';

/** A revision as services return it. */
export const REVISION = '3kTg1mYxq0cVb2Zr';

export const collection: Collection = {
  revision: REVISION,
  id: KNOWN.collection,
  name: 'Handbook',
  description: 'How we work',
  documentCount: 3,
  failedCount: 1,
  embeddingCount: 12,
  embeddingModel: 'builtin',
  reindexing: 0,
  createdAt: WHEN,
  updatedAt: WHEN,
};

export const synonym: Synonym = {
  revision: REVISION,
  id: KNOWN.synonym,
  collectionId: KNOWN.collection,
  input: [],
  terms: ['PTO', 'paid time off'],
  enabled: true,
  source: 'custom',
  createdAt: WHEN,
  updatedAt: WHEN,
};

export const searchRule: SearchRule = {
  revision: REVISION,
  id: KNOWN.searchRule,
  collectionId: KNOWN.collection,
  query: 'annual leave',
  match: SearchRuleMatch.CONTAINS,
  pins: [{ documentId: KNOWN.document, position: 2 }],
  hiddenDocumentIds: [],
  enabled: true,
  createdAt: WHEN,
  updatedAt: WHEN,
};

export const searchModel: SearchModel = {
  id: 'small-english',
  title: 'Small, English',
  description: 'Finds passages in other words.',
  embeddingModel: 'onnx/Xenova/bge-small-en-v1.5',
  languages: 'english',
  sizeBytes: 35_000_000,
  passagesPerSecond: 11.5,
  isMeasured: false,
  state: SearchModelState.DOWNLOADING,
  done: 12_000_000,
  total: 35_000_000,
  error: undefined,
  isPrevious: false,
};

export const synonymPack: SynonymPack = {
  name: 'workplace-en',
  language: 'en',
  enabled: true,
  ruleCount: 1_232,
  disabledRuleCount: 0,
};

export const documentPage: DocumentPage = {
  page: 1,
  width: 612,
  height: 792,
  start: 0,
  end: 19,
  words: [{ start: 0, end: 6, left: 0.1, top: 0.1, right: 0.2, bottom: 0.125 }],
};

export const pageImage: PageImage = { content: Buffer.from('image'), width: 1_240, height: 1_754 };

export const document: Document = {
  revision: REVISION,
  id: KNOWN.document,
  title: 'Leave',
  status: DocumentStatus.INDEXED,
  error: undefined,
  collectionId: KNOWN.collection,
  collectionName: 'Handbook',
  source: 'upload',
  type: 'pdf',
  connectorId: KNOWN.connector,
  externalId: 'leave.pdf',
  url: 'https://example.com/leave',
  metadata: { author: 'Ada', pages: 2 },
  chunkCount: 4,
  sizeBytes: 900,
  createdAt: WHEN,
  updatedAt: WHEN,
  indexedAt: WHEN,
  principals: { values: ['public'] },
};

export const connector: Connector = {
  revision: REVISION,
  id: KNOWN.connector,
  name: 'Files',
  type: 'upload',
  status: ConnectorStatus.ACTIVE,
  collectionId: KNOWN.collection,
  config: { syncEveryMinutes: 0 },
  lastSync: undefined,
  createdAt: WHEN,
  updatedAt: WHEN,
};

export const job: SyncJob = {
  id: KNOWN.job,
  connectorId: KNOWN.connector,
  mode: SyncMode.AUTO,
  status: JobStatus.RUNNING,
  progress: { total: 5, collected: 4, parsed: 3, indexed: 2, skipped: 1, deleted: 0, failed: 1 },
  errors: [{ path: 'a.pdf', code: 'encrypted', message: 'The file is encrypted.' }],
  startedAt: WHEN,
  completedAt: undefined,
  kind: JobKind.SYNC,
  queuedReason: undefined,
};

export const item: PushedItem = {
  id: 'hr/leave',
  revision: 7,
  title: 'Leave',
  url: undefined,
  author: undefined,
  mimeType: 'text/markdown',
  sourceUpdatedAt: undefined,
  metadata: {},
  principals: { values: ['public'] },
  sizeBytes: 12,
  status: 'failed',
  error: { path: 'hr/leave', code: 'invalid', message: 'The file is damaged.' },
  documentId: KNOWN.document,
  updatedAt: WHEN,
};

export const snapshot: Snapshot = {
  id: KNOWN.snapshot,
  connectorId: KNOWN.connector,
  status: SnapshotStatus.HELD,
  named: 1,
  missing: 30,
  jobId: KNOWN.job,
  createdAt: WHEN,
  expiresAt: WHEN,
};

export const file: SourceFile = {
  id: KNOWN.file,
  name: 'leave.pdf',
  path: 'hr/leave.pdf',
  sizeBytes: 900,
  mimeType: 'application/pdf',
  checksum: 'sha256:00',
  documentId: KNOWN.document,
  status: 'indexed',
  updatedAt: WHEN,
};

export const memory: Memory = {
  revision: REVISION,
  id: KNOWN.memory,
  agentId: KNOWN.agent,
  kind: MemoryKind.PREFERENCE,
  content: 'The user prefers short answers.',
  metadata: { by: 'Ada' },
  conversationId: KNOWN.conversation,
  importance: 0.8,
  expiresAt: WHEN,
  proposed: false,
  createdAt: WHEN,
  updatedAt: WHEN,
};

export const agent: Agent = {
  revision: REVISION,
  id: KNOWN.agent,
  name: 'Helper',
  description: 'Helps',
  systemPrompt: 'You help.',
  tools: ['search_documents'],
  collectionIds: [KNOWN.collection],
  startMessage: 'Hello',
  memory: 'recall',
  createdAt: WHEN,
  updatedAt: WHEN,
};

export const run: Run = {
  id: KNOWN.run,
  agentId: KNOWN.agent,
  conversationId: KNOWN.conversation,
  status: RunStatus.LIMITED,
  message: 'What is 6 * 7?',
  content: '42',
  model: 'builtin-extractive',
  usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
  limit: 'iterations',
  error: undefined,
  startedAt: WHEN,
  completedAt: WHEN,
  memories: [{ id: id('mem'), kind: 'fact', content: 'Six sevens are wanted often.', score: 0.8 }],
  withheld: false,
  pendingApprovals: 0,
  steps: [
    {
      number: 1,
      thought: 'A sum.',
      toolCalls: [
        {
          id: 'call_1',
          tool: 'calculate',
          params: { expression: '6 * 7' },
          success: true,
          result: { result: '42' },
          durationMs: 2,
        },
      ],
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
      startedAt: WHEN,
      completedAt: WHEN,
    },
  ],
};

export const template: Template = {
  id: KNOWN.template,
  name: 'Support agent',
  description: 'Answers customers',
  category: 'support',
  systemPrompt: 'You help users of {{product}}.',
  tools: ['search_documents'],
  startMessage: 'Hi!',
  variables: [{ name: 'product', description: 'The product', required: true, default: undefined }],
};

export const searchResult: SearchResult = {
  documentId: KNOWN.document,
  title: 'Leave',
  excerpt: 'Thirty days.',
  highlights: [{ start: 0, end: 6 }],
  score: 0.9,
  relevance: 0.7,
  scores: { keyword: 3.5 },
  collectionId: KNOWN.collection,
  collectionName: 'Handbook',
  source: 'upload',
  metadata: { author: 'Ada' },
  passages: [{ text: 'Thirty days.', heading: 'Leave', start: 10, end: 22, score: 0.9 }],
  updatedAt: WHEN,
  duplicates: [
    {
      documentId: KNOWN.document,
      title: 'Copy of Leave',
      collectionId: KNOWN.collection,
      collectionName: 'Handbook',
      source: 'upload',
      updatedAt: WHEN,
    },
  ],
  duplicateCount: 1,
  synonyms: [{ from: 'PTO', to: 'annual leave' }],
  pinned: false,
};

export const facets: Facet[] = [
  { field: 'source', values: [{ value: 'upload', count: 2 }], stats: undefined, exhaustive: true },
  {
    field: 'metadata.pages',
    values: [{ value: 4, count: 1 }],
    stats: { min: 4, max: 4, avg: 4, sum: 4, count: 1 },
    exhaustive: true,
  },
  {
    field: 'updatedAt',
    values: [{ value: '2026-01-02', count: 1 }],
    stats: { min: '2026-01-02T08:00:00.000Z', max: '2026-01-02T08:00:00.000Z', count: 1 },
    exhaustive: true,
  },
];

const source = { id: KNOWN.document, title: 'Leave', excerpt: 'Thirty days.', url: 'https://example.com/leave' };
const signals = { coverageRatio: 0.9, shapeConfidence: 0.8, coverageCompleteness: 1, violationFree: 1 };
const answerConfidence = { score: 0.91, label: 'high', signals };
const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };

export const testCase: TestCase = {
  id: KNOWN.testCase,
  question: 'How many days of leave?',
  collectionIds: [KNOWN.collection],
  expectsRefusal: false,
  documentIds: [KNOWN.document],
  texts: ['30 days'],
  user: 'ada@example.com',
  messageId: KNOWN.message,
  createdAt: WHEN,
  updatedAt: WHEN,
};

export const toolServer: ToolServer = {
  id: KNOWN.toolServer,
  name: 'CRM',
  slug: 'crm',
  kind: 'mcp',
  url: 'https://crm.example.com/mcp',
  documentUrl: undefined,
  documentBytes: undefined,
  auth: { type: 'bearer' },
  toolCount: 1,
  enabledToolCount: 1,
  changedToolCount: 0,
  notes: [],
  refreshedAt: WHEN,
  createdAt: WHEN,
  updatedAt: WHEN,
  revision: REVISION,
};

export const modelEndpoint: ModelEndpoint = {
  id: KNOWN.modelEndpoint,
  name: 'Ollama',
  provider: 'openai',
  url: 'https://ollama.example.com/v1',
  hasKey: false,
  models: [{ id: 'llama-3', contextWindow: 32_768 }],
  createdAt: WHEN,
  updatedAt: WHEN,
  revision: REVISION,
};

export const serverTool: ServerTool = {
  serverId: KNOWN.toolServer,
  name: 'find_customer',
  agentName: 'crm__find_customer',
  description: 'Finds a customer.',
  inputSchema: { type: 'object' },
  operation: undefined,
  status: ServerToolStatus.ENABLED,
  changesSomething: false,
  readOnlyHint: true,
  problem: undefined,
  version: 'v1',
};

export const approval: Approval = {
  id: KNOWN.approval,
  runId: KNOWN.run,
  agentId: KNOWN.agent,
  callId: 'call_1',
  tool: 'crm__create_ticket',
  params: { title: 'Broken' },
  status: ApprovalStatus.APPROVED,
  createdAt: WHEN,
  expiresAt: WHEN,
  decidedAt: WHEN,
  decidedBy: KNOWN.key,
  reason: undefined,
  calledAt: undefined,
};

export const scheduleRun: ScheduleRun = {
  id: KNOWN.scheduleRun,
  scheduleId: KNOWN.schedule,
  agentId: KNOWN.agent,
  status: ScheduleRunStatus.COMPLETED,
  scheduledFor: WHEN,
  errorCode: undefined,
  errorMessage: undefined,
  runId: KNOWN.run,
  conversationId: KNOWN.conversation,
  deliveries: [
    {
      target: { target: { $case: 'slack', value: { appId: KNOWN.slackApp, channel: 'C0123456789' } } },
      status: ScheduleDeliveryStatus.FAILED,
      attempts: 3,
      error: 'The channel is not allowed.',
      nextAttemptAt: undefined,
      endedAt: WHEN,
    },
  ],
  createdAt: WHEN,
  startedAt: WHEN,
  endedAt: WHEN,
};

export const schedule: Schedule = {
  id: KNOWN.schedule,
  agentId: KNOWN.agent,
  name: 'Morning report',
  message: 'What changed?',
  cron: '0 7 * * 1-5',
  timeZone: 'Europe/Berlin',
  enabled: false,
  targets: [
    { target: { $case: 'webhook', value: { webhookId: KNOWN.webhook } } },
    { target: { $case: 'slack', value: { appId: KNOWN.slackApp, channel: 'C0123456789' } } },
    { target: { $case: 'email', value: { personId: KNOWN.person } } },
  ],
  runsAs: 'ada@example.com',
  ownerId: KNOWN.person,
  nextRunAt: undefined,
  failures: 5,
  pausedReason: 'failing',
  pausedMessage: 'The model did not respond.',
  createdAt: WHEN,
  updatedAt: WHEN,
  lastRun: scheduleRun,
  revision: REVISION,
};

export const testRun: TestRun = {
  id: KNOWN.testRun,
  status: TestRunStatus.COMPLETED,
  scheduled: true,
  total: 3,
  passed: 1,
  failed: 1,
  errors: 1,
  regressions: 1,
  meanConfidence: 0.8,
  meanTookMs: 120.5,
  promptTokens: 5_000_000_000,
  completionTokens: 12,
  error: undefined,
  chargedTo: KNOWN.person,
  createdAt: WHEN,
  startedAt: WHEN,
  finishedAt: WHEN,
};

export const testSchedule: TestSchedule = {
  enabled: true,
  weekday: 1,
  time: '06:00',
  timeZone: 'Europe/Berlin',
  nextRunAt: WHEN,
  chargedTo: KNOWN.person,
};

export const reply: ChatReply = {
  id: KNOWN.message,
  conversationId: KNOWN.conversation,
  content: 'Thirty days [1].',
  sources: [source],
  answerConfidence,
  usage,
  model: 'builtin-extractive',
};

export const completion: Completion = {
  id: KNOWN.message,
  previousId: undefined,
  messages: [{ speaker: Speaker.USER, content: 'How many days?', calls: [], callId: '', referenceId: '' }],
  content: reply.content,
  calls: [],
  sources: [source],
  marks: [{ source: 0, start: 12, end: 15 }],
  answerConfidence,
  usage,
  model: 'builtin-extractive',
  stopReason: 'end',
  details: JSON.stringify({
    model: 'lectern',
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: null,
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    user: null,
  }),
  createdAt: WHEN,
};

export const feedback: Feedback = {
  rating: Rating.DOWN,
  reason: FeedbackReason.OUTDATED,
  comment: 'It changed in May.',
  createdAt: WHEN,
  updatedAt: WHEN,
};

export const conversation: Conversation = {
  id: KNOWN.conversation,
  title: 'Leave',
  user: undefined,
  shared: false,
  readOnly: false,
  messageCount: 2,
  createdAt: WHEN,
  updatedAt: WHEN,
  messages: [
    {
      id: 'msg_1',
      role: Role.USER,
      content: 'How many days?',
      sources: [],
      answerConfidence: undefined,
      usage: undefined,
      createdAt: WHEN,
      status: MessageStatus.COMPLETE,
      withheld: false,
    },
    {
      id: 'msg_2',
      role: Role.ASSISTANT,
      content: reply.content,
      sources: [source],
      answerConfidence,
      usage,
      createdAt: WHEN,
      status: MessageStatus.COMPLETE,
      withheld: false,
      feedback,
    },
  ],
};

export const connectionReport: ConnectionReport = {
  success: false,
  latencyMs: 12,
  checks: [{ name: 'connection', ok: false, message: 'The host does not respond.' }],
  error: { code: 'transient', message: 'The host does not respond.' },
};

export const startedAuthorization: InitAuthorizationResponse = {
  authorizationUrl: 'https://provider.test/authorize?state=s',
  state: 's',
  expiresAt: WHEN,
  connectorId: KNOWN.connector,
};

export const question: ReviewedQuestion = {
  id: KNOWN.message,
  question: 'How many days of leave?',
  kinds: [QuestionKind.LOW_CONFIDENCE, QuestionKind.DOWN_VOTED],
  collectionIds: [KNOWN.collection],
  content: reply.content,
  sources: reply.sources,
  confidence: reply.answerConfidence,
  withheld: false,
  feedback: [{ ...feedback, updatedAt: WHEN }],
  testCaseId: KNOWN.testCase,
  createdAt: WHEN,
  doneAt: undefined,
};

export const testResult: TestResult = {
  testCaseId: KNOWN.testCase,
  question: 'How many days of leave?',
  outcome: TestOutcome.FAILED,
  regression: true,
  failures: ['not_cited'],
  refused: false,
  rank: 2,
  confidence: reply.answerConfidence,
  tookMs: 120,
  usage: reply.usage,
  content: reply.content,
  sources: reply.sources,
  withheld: false,
  error: undefined,
};
