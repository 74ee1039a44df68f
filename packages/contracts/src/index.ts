export * from './gen/lectern/agent/v1/agents.ts';
export * from './gen/lectern/agent/v1/memories.ts';
export * from './gen/lectern/agent/v1/runs.ts';
export * from './gen/lectern/agent/v1/templates.ts';
// Several generated files declare this type alike.
export type { ServerStreamingMethodResult } from './gen/lectern/chat/v1/chat.ts';
export * from './gen/lectern/chat/v1/chat.ts';
export * from './gen/lectern/collection/v1/collections.ts';
export * from './gen/lectern/collection/v1/documents.ts';
export * from './gen/lectern/common/v1/caller.ts';
export * from './gen/lectern/common/v1/error.ts';
export * from './gen/lectern/common/v1/page.ts';
export * from './gen/lectern/common/v1/precondition.ts';
export * from './gen/lectern/connector/v1/connectors.ts';
export * from './gen/lectern/connector/v1/databases.ts';
export * from './gen/lectern/connector/v1/files.ts';
export * from './gen/lectern/connector/v1/oauth.ts';
export * from './gen/lectern/connector/v1/sync.ts';
export * from './gen/lectern/search/v1/search.ts';
