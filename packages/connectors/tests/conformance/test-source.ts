import type { Fault } from '@lectern/testing';
import type { Connector } from '#connector';

/** An item that the suite adds to a source. */
export interface NewItem {
  /** Part of the item's name: a file name or a page title. */
  readonly name: string;
  /** Part of the item's content. */
  readonly text: string;
}

/** A fault of the source. `cut` sends half of the response and closes the connection. */
export type SourceFault = Extract<Fault, { kind: 'status' }> | { readonly kind: 'cut' };

/** A source backed by an emulator. It starts empty. */
export interface TestSource {
  /** Opens a connector with valid credentials, or with ones that the source rejects. */
  open(credentials?: 'valid' | 'wrong'): Connector;
  /** Adds items. Returns the ids that the connector will give them. */
  add(items: readonly NewItem[]): Promise<readonly string[]>;
  /** Gives an item new content. */
  change(id: string, text: string): Promise<void>;
  /** Renames an item and returns its new id. Absent if items have no separate name. */
  rename?(id: string, name: string): Promise<string>;
  remove(id: string): Promise<void>;
  /**
   * Plans a fault for the nth request from now (from 1). Without a plan, requests succeed.
   * Absent if single requests cannot be intercepted.
   */
  fail?(plan?: (number: number) => SourceFault | undefined): void;
  /**
   * Calls the listener before each response, with the request's number from 1. Tests use it to
   * change data during a listing.
   */
  before?(listener?: (number: number) => void): void;
  /**
   * Changes the body of each response, numbered from 1. Without a function, bodies are unchanged.
   */
  rewrite?(change?: (body: string, number: number) => string): void;
  /** Returns the number of requests since the start. */
  requests?(): number;
  /**
   * Invalidates all access tokens; the connector can get new ones. Absent if credentials do not
   * expire.
   */
  expireTokens?(): void;
  /** Returns the number of token renewals. */
  renewals?(): number;
  stop(): Promise<void>;
}

/** An ability that only some sources have. The suite skips its tests for the others. */
export type Ability =
  | 'rename'
  /** Requests can be intercepted with `fail`, `before`, `rewrite` and `requests`. */
  | 'requests'
  | 'tokens'
  | 'change feed'
  | 'permissions'
  | 'writing';

/** A type of source under test. */
export interface TestSourceType {
  readonly type: string;
  /** Abilities that this source lacks: it and its connector do not have their methods. */
  readonly lacks: readonly Ability[];
  start(): Promise<TestSource>;
  /** False if the change feed does not report deletions. Default true. */
  readonly feedReportsDeletions?: boolean;
  /** True if a renamed item keeps its id. */
  readonly keepsIdOnRename?: boolean;
  /** False if neither the title nor the path of an item contains its name. Default true. */
  readonly showsName?: boolean;
  /** True if a listed item is still readable after it was removed. */
  readonly keepsRemoved?: boolean;
  /** The number of items in the large listing. Default 2,500. */
  readonly many?: number;
  /** False if the source requires no sign-in. Default true. */
  readonly hasCredentials?: boolean;
  /** True if `list` can return an item twice. */
  readonly repeats?: boolean;
}
