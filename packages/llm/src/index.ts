export {
  ENDPOINT_PROVIDERS,
  type EndpointModel,
  type EndpointOptions,
  type EndpointProvider,
} from '#endpoints/model-endpoint';
export { openEndpointKey, openTeamChoice } from '#endpoints/team-choice';
export { createTeamModels, type TeamChoice } from '#endpoints/team-models';
export { testEndpoint } from '#endpoints/test-endpoint';
export type { CachedTokens, ChatEvent, EndEvent, TokenUsage, ToolCallEvent } from '#model/chat-event';
export * from '#model/chat-message';
export * from '#model/chat-model';
export { type CollectedReply, collectReply } from '#model/collect-reply';
export type { ModelInfo, ModelProvider } from '#model/model-info';
export * from '#model/request-correction';
export type * from '#provider/model-settings';
export { createModels, unknownModel } from '#registry/create-models';
export { modelEnvironment, modelSettings } from '#registry/model-environment';
export type { Models } from '#registry/models';
