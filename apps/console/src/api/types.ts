import type { Data, EventOf, Schemas } from '@lectern/sdk';

/** Shorter names for the API's types. */
export type OwnKey = Schemas['OwnKey'];
export type Person = Schemas['Person'];
export type Role = Person['role'];
export type AccountLink = Data<'openAccountLink'>;
export type Invitation = Schemas['Invitation'];
export type KeyPair = Schemas['ApiKeyPair'];
export type NewKeyPair = Schemas['NewApiKeyPair'];
export type Collection = Schemas['CollectionItem'];
export type CollectionRecord = Schemas['Collection'];
export type LecternDocument = Schemas['Document'];
export type Synonym = Schemas['Synonym'];
export type SearchModel = Schemas['SearchModel'];
export type SynonymPack = Schemas['SynonymPack'];
export type SearchResult = Schemas['SearchResult'];
export type Facet = Schemas['Facet'];
export type Source = Schemas['ChatSource'];
export type Confidence = Schemas['AnswerConfidence'];
export type Usage = Schemas['Usage'];
export type Message = Schemas['ChatMessage'];
export type ReplyFeedback = Schemas['ReplyFeedback'];
export type FeedbackReason = Schemas['FeedbackReason'];
export type Agent = Schemas['AgentItem'];
export type AgentRecord = Schemas['Agent'];
export type AgentTemplate = Schemas['AgentTemplate'];
export type AgentRunRecord = Schemas['Run'];
export type Memory = Schemas['Memory'];
export type Connector = Schemas['Connector'];
export type ConnectorTypeName = Connector['type'];
export type ConnectionReport = Schemas['ConnectionReport'];
export type SyncJob = Schemas['SyncJob'];
export type SourceFile = Schemas['SourceFile'];
export type AuditEvent = Schemas['AuditEvent'];
export type AnalyticsEvent = Data<'listAnalyticsEvents'>[number];

export type ChatEvent = EventOf<'streamChat'>;
export type RunEvent = EventOf<'executeAgent'>;
