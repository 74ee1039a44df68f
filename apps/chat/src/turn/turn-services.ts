import type { ExecuteAgentRequest, RunEvent } from '@lectern/contracts';
import type { SourceDocument } from '@lectern/grounding';

/** What is to be retrieved for a question. */
export interface Retrieval {
  readonly question: string;
  /** Empty: every collection that the caller reaches. */
  readonly collections: readonly string[];
  readonly documents: number;
  readonly passagesPerDocument: number;
}

/** An agent as a turn needs it. */
export interface TurnAgent {
  readonly id: string;
  readonly systemPrompt: string;
  /** Empty: every collection that the caller reaches. */
  readonly collections: readonly string[];
}

/** What a turn asks of other services, on behalf of its caller. */
export interface TurnServices {
  /** Documents for a question, best first, with the passages found in them, best first. */
  retrieve(retrieval: Retrieval, signal: AbortSignal): Promise<readonly SourceDocument[]>;
  /** A document's whole text; undefined where the caller may not read it (any more), or it has none. */
  readDocument(id: string, signal: AbortSignal): Promise<string | undefined>;
  /** Returns the documents that the caller may read now. */
  filterReadable(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The ids of the named collections, or of all the caller reaches. Throws `not_found` and `forbidden`. */
  resolveCollections(ids: readonly string[]): Promise<readonly string[]>;
  /** Throws `not_found` and `forbidden`. */
  getAgent(id: string): Promise<TurnAgent>;
  /** Runs an agent; the last event is `completed`. Throws what the run throws. */
  executeAgent(request: ExecuteAgentRequest, signal: AbortSignal): AsyncIterable<RunEvent>;
}
