/** Events that webhooks can receive, with the service that records them. */
export const EVENT_SOURCES = {
  'document.indexed': 'collection',
  'document.failed': 'collection',
  'document.deleted': 'collection',
  'sync.completed': 'connector',
  'sync.failed': 'connector',
  'connector.error': 'connector',
  'feedback.created': 'chat',
  'run.completed': 'agent',
} as const;

export type EventType = keyof typeof EVENT_SOURCES;

/** A service that records events. */
export type EventSource = (typeof EVENT_SOURCES)[EventType];

export const EVENT_TYPES = Object.keys(EVENT_SOURCES) as [EventType, ...EventType[]];

interface DocumentData {
  readonly id: string;
  readonly collectionId: string;
  readonly connectorId: string | null;
}

interface ConnectorData {
  readonly connectorId: string;
  readonly connectorName: string;
  readonly collectionId: string;
}

interface JobData extends ConnectorData {
  readonly id: string;
  readonly status: string;
  readonly counts: {
    readonly indexed: number;
    readonly skipped: number;
    readonly failed: number;
    readonly deleted: number;
  };
}

/**
 * The data of the events. They contain ids, names that an admin gave, and states, but never titles or text
 * of documents: whoever receives them reads the record through the API, as far as its key may. The
 * exception is the result of a schedule, which its owner sends to a certain webhook.
 */
export interface EventData {
  readonly 'document.indexed': DocumentData & { readonly version: number };
  readonly 'document.failed': DocumentData & { readonly error: { readonly code: string } };
  readonly 'document.deleted': DocumentData;
  readonly 'sync.completed': JobData;
  readonly 'sync.failed': JobData & { readonly error: { readonly code: string } };
  readonly 'connector.error': ConnectorData & { readonly status: string };
  readonly 'feedback.created': {
    readonly messageId: string;
    readonly conversationId: string;
    readonly rating: string;
    readonly reason: string | null;
  };
  readonly 'run.completed': {
    readonly id: string;
    readonly agentId: string;
    readonly agentName: string;
    readonly conversationId: string | null;
    readonly status: string;
    readonly error: { readonly code: string } | null;
    /** Only for the result of a schedule. */
    readonly schedule?: { readonly id: string; readonly name: string; readonly runId: string };
    readonly result?: ScheduleResult;
  };
}

interface ScheduleResult {
  /** Markdown with the markers of its sources. */
  readonly content: string;
  readonly sources: readonly { readonly id: string; readonly title: string; readonly url: string | null }[];
  /** True if it was too large. */
  readonly truncated: boolean;
}
