export * from '#body';
export * as fields from '#fields';
export {
  createDocument,
  type OpenApiDocument,
} from '#openapi/document';
export { OTHERS } from '#openapi/other-paths';
export {
  type Access,
  acceptsIdempotencyKey,
  acceptsIfMatch,
  hasEtag,
  type Method,
  type OperationSpec,
  type StreamSpec,
  type UsageKind,
} from '#operation';
export { operations } from '#operations';
export * as agents from '#operations/agents';
export * as analytics from '#operations/analytics';
export * as apiKeys from '#operations/api-keys';
export * as chat from '#operations/chat';
export * as collections from '#operations/collections';
export * as connectors from '#operations/connectors';
export * as documents from '#operations/documents';
export * as files from '#operations/files';
export * as groups from '#operations/groups';
export * as health from '#operations/health';
export * as memories from '#operations/memories';
export * as oauth from '#operations/oauth';
export * as people from '#operations/people';
export * as runs from '#operations/runs';
export * as scimTokens from '#operations/scim-tokens';
export * as search from '#operations/search';
export * as searchModels from '#operations/search-models';
export * as sessions from '#operations/sessions';
export * as sync from '#operations/sync';
export * as synonyms from '#operations/synonyms';
export { type HostPattern, parseHostPattern, parseRefererPattern, type RefererPattern } from '#page-patterns';
export { hasRole, leastRole, ROLES, type Role } from '#roles';
