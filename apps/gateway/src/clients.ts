import {
  AgentServiceDefinition,
  ChatServiceDefinition,
  CollectionServiceDefinition,
  CompletionServiceDefinition,
  ConnectorServiceDefinition,
  DocumentServiceDefinition,
  EventServiceDefinition,
  type EventSource,
  FileServiceDefinition,
  ItemServiceDefinition,
  MemoryServiceDefinition,
  ModelEndpointServiceDefinition,
  OAuthServiceDefinition,
  QuestionServiceDefinition,
  RunServiceDefinition,
  ScheduleServiceDefinition,
  SearchModelServiceDefinition,
  SearchRuleServiceDefinition,
  SearchServiceDefinition,
  SyncServiceDefinition,
  SynonymServiceDefinition,
  TemplateServiceDefinition,
  TestCaseServiceDefinition,
  ToolServerServiceDefinition,
} from '@lectern/contracts';
import { connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import type { Config } from '#config';

// `admit` takes at most 3 s, even if the store of keys and limits is unavailable. Together with
// these deadlines, a read ends within 15 s, and any other request except an upload within 120 s.

/** Deadline of calls that can wait for a language model, a source, or the deletion of many rows. */
const LONG_MS = 117_000;
/** Deadline of all other calls, and of calls that only read. */
const SHORT_MS = 12_000;
/** The deadline that the chat service gives a turn. */
const TURN_MS = 120_000;
const LONG = { deadlineMs: LONG_MS, readDeadlineMs: SHORT_MS };
const SHORT = { deadlineMs: SHORT_MS };

/** One client per gRPC service, except for events. */
export interface Clients {
  readonly agents: GrpcClient<typeof AgentServiceDefinition>;
  readonly chat: GrpcClient<typeof ChatServiceDefinition>;
  readonly collections: GrpcClient<typeof CollectionServiceDefinition>;
  readonly completions: GrpcClient<typeof CompletionServiceDefinition>;
  readonly connectors: GrpcClient<typeof ConnectorServiceDefinition>;
  readonly documents: GrpcClient<typeof DocumentServiceDefinition>;
  /** Every service that records events has this one. */
  readonly events: Readonly<Record<EventSource, GrpcClient<typeof EventServiceDefinition>>>;
  readonly files: GrpcClient<typeof FileServiceDefinition>;
  readonly items: GrpcClient<typeof ItemServiceDefinition>;
  readonly memories: GrpcClient<typeof MemoryServiceDefinition>;
  readonly oauth: GrpcClient<typeof OAuthServiceDefinition>;
  readonly questions: GrpcClient<typeof QuestionServiceDefinition>;
  readonly runs: GrpcClient<typeof RunServiceDefinition>;
  readonly schedules: GrpcClient<typeof ScheduleServiceDefinition>;
  readonly search: GrpcClient<typeof SearchServiceDefinition>;
  readonly searchModels: GrpcClient<typeof SearchModelServiceDefinition>;
  readonly sync: GrpcClient<typeof SyncServiceDefinition>;
  readonly searchRules: GrpcClient<typeof SearchRuleServiceDefinition>;
  readonly synonyms: GrpcClient<typeof SynonymServiceDefinition>;
  readonly templates: GrpcClient<typeof TemplateServiceDefinition>;
  readonly testCases: GrpcClient<typeof TestCaseServiceDefinition>;
  readonly modelEndpoints: GrpcClient<typeof ModelEndpointServiceDefinition>;
  readonly toolServers: GrpcClient<typeof ToolServerServiceDefinition>;
}

/** The connections to the services, by the names that `/readyz` reports. */
export interface Connections {
  readonly search: GrpcConnection;
  readonly chat: GrpcConnection;
  readonly agent: GrpcConnection;
  readonly collection: GrpcConnection;
  readonly connector: GrpcConnection;
}

/** Creates the connections. They open with the first call, so this never fails. */
export function connectServices(config: Config): Connections {
  return {
    search: connectGrpc(config.SEARCH_ADDRESS),
    chat: connectGrpc(config.CHAT_ADDRESS),
    agent: connectGrpc(config.AGENT_ADDRESS),
    collection: connectGrpc(config.COLLECTION_ADDRESS),
    connector: connectGrpc(config.CONNECTOR_ADDRESS),
  };
}

/** Creates the clients, each with the deadline that its calls need. */
export function createClients({ search, chat, agent, collection, connector }: Connections, config: Config): Clients {
  return {
    agents: agent.client(AgentServiceDefinition, SHORT),
    chat: chat.client(ChatServiceDefinition, { ...LONG, deadlineMs: TURN_MS }),
    collections: collection.client(CollectionServiceDefinition, LONG),
    completions: chat.client(CompletionServiceDefinition, SHORT),
    connectors: connector.client(ConnectorServiceDefinition, LONG),
    documents: collection.client(DocumentServiceDefinition, LONG),
    events: {
      collection: collection.client(EventServiceDefinition, SHORT),
      connector: connector.client(EventServiceDefinition, SHORT),
      chat: chat.client(EventServiceDefinition, SHORT),
      agent: agent.client(EventServiceDefinition, SHORT),
    },
    files: connector.client(FileServiceDefinition, { deadlineMs: config.UPLOAD_TIMEOUT_MS, readDeadlineMs: LONG_MS }),
    items: connector.client(ItemServiceDefinition, LONG),
    memories: agent.client(MemoryServiceDefinition, SHORT),
    oauth: connector.client(OAuthServiceDefinition, LONG),
    questions: chat.client(QuestionServiceDefinition, SHORT),
    runs: agent.client(RunServiceDefinition, SHORT),
    schedules: agent.client(ScheduleServiceDefinition, SHORT),
    search: search.client(SearchServiceDefinition, SHORT),
    searchModels: collection.client(SearchModelServiceDefinition, SHORT),
    sync: connector.client(SyncServiceDefinition, SHORT),
    searchRules: collection.client(SearchRuleServiceDefinition, LONG),
    synonyms: collection.client(SynonymServiceDefinition, LONG),
    templates: agent.client(TemplateServiceDefinition, SHORT),
    testCases: chat.client(TestCaseServiceDefinition, LONG),
    modelEndpoints: chat.client(ModelEndpointServiceDefinition, LONG),
    toolServers: agent.client(ToolServerServiceDefinition, LONG),
  };
}
