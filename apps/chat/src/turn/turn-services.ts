import type { ExecuteAgentRequest, RunEvent } from '@lectern/contracts';
import type { IndexingState, SourceDocument } from '@lectern/grounding';
import type { Language } from '@lectern/text';

/** A search for sources. */
interface Retrieval {
  readonly question: string;
  /** An empty list means all collections that the caller can access. */
  readonly collections: readonly string[];
  readonly documents: number;
  readonly passagesPerDocument: number;
}

/** The parts of an agent that a turn needs. */
export interface TurnAgent {
  readonly id: string;
  readonly systemPrompt: string;
  /** An empty list means all collections that the caller can access. */
  readonly collections: readonly string[];
}

/** Calls to other services on behalf of a turn's caller. */
export interface TurnServices {
  /** The language that the caller chose. */
  readonly language?: Language | undefined;
  /** Returns documents for a question with their matching passages, both best first. */
  retrieve(retrieval: Retrieval, signal: AbortSignal): Promise<readonly SourceDocument[]>;
  /**
   * Returns a document's complete text; undefined if it has none, or if the caller cannot access
   * it.
   */
  readDocument(id: string, signal: AbortSignal): Promise<string | undefined>;
  /** Returns what the caller can search in these collections. An empty list means all. */
  readIndexing(collections: readonly string[], signal: AbortSignal): Promise<IndexingState>;
  /** Returns the ids of the documents that the caller can read now. */
  filterReadable(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the named collections, or all that the caller can access. Throws `not_found` and
   * `forbidden`.
   */
  resolveCollections(ids: readonly string[]): Promise<readonly string[]>;
  /** Throws `not_found` and `forbidden`. */
  getAgent(id: string): Promise<TurnAgent>;
  /** Runs an agent. The last event is `completed`. Throws what the run throws. */
  executeAgent(request: ExecuteAgentRequest, signal: AbortSignal): AsyncIterable<RunEvent>;
}
