export * from '#body';
export * as fields from '#fields';
export { containsRange, formatIpRange, type IpRange, parseIpRange } from '#ip-ranges';
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
export * as account from '#operations/account';
export * as agents from '#operations/agents';
export * as analytics from '#operations/analytics';
export * as apiKeys from '#operations/api-keys';
export * as apps from '#operations/apps';
export * as branding from '#operations/branding';
export * as budgets from '#operations/budgets';
export * as chat from '#operations/chat';
export * as collections from '#operations/collections';
export * as connectors from '#operations/connectors';
export * as documents from '#operations/documents';
export * as files from '#operations/files';
export * as groups from '#operations/groups';
export * as health from '#operations/health';
export * as identityProviders from '#operations/identity-providers';
export * as items from '#operations/items';
export * as memories from '#operations/memories';
export * as modelEndpoints from '#operations/model-endpoints';
export * as oauth from '#operations/oauth';
export * as people from '#operations/people';
export * as questions from '#operations/questions';
export * as retention from '#operations/retention';
export * as runs from '#operations/runs';
export * as schedules from '#operations/schedules';
export * as scimTokens from '#operations/scim-tokens';
export * as search from '#operations/search';
export * as searchAnalytics from '#operations/search-analytics';
export * as searchModels from '#operations/search-models';
export * as searchRules from '#operations/search-rules';
export * as sessions from '#operations/sessions';
export * as slackApps from '#operations/slack-apps';
export * as sync from '#operations/sync';
export * as synonyms from '#operations/synonyms';
export * as testCases from '#operations/test-cases';
export * as toolServers from '#operations/tool-servers';
export * as userTokens from '#operations/user-tokens';
export * as webhooks from '#operations/webhooks';
export { type HostPattern, parseHostPattern, parseRefererPattern, type RefererPattern } from '#page-patterns';
export {
  APP_SCOPES,
  type AppScope,
  accessOf,
  hasRole,
  leastRole,
  OPERATIONS_WITH_ACCESS,
  type OperationAccess,
  RIGHTS,
  type Right,
  ROLES,
  type Role,
  TOKEN_RIGHTS,
  type TokenRight,
  tokenRightOf,
} from '#roles';
export { PYTHON_KEYWORDS, pythonName } from '#sdk/python-name';
export { SDK_RESOURCES, type SdkResource } from '#sdk/resources';
export { WEBHOOK_EVENTS, webhookEventSchema } from '#webhook-events';
