import type { Fault } from '@lectern/testing';
import type { Connector } from '#connector';

/** An item as the suite wants it to be in a source. */
export interface Wanted {
  /** Part of what the item is called: a file's name, a page's title. */
  readonly name: string;
  /** Stands in what is read of the item. */
  readonly text: string;
}

/** What a source does instead of answering well. `cut` sends half the answer and closes. */
export type SceneFault = Extract<Fault, { kind: 'status' }> | { readonly kind: 'cut' };

/** A source with a stand-in behind it, empty at first. */
export interface Scene {
  /** A connector with good credentials, or with ones that the source does not accept. */
  open(credentials?: 'good' | 'wrong'): Connector;
  /** Adds items; answers with the ids that the connector will give them. */
  add(items: readonly Wanted[]): Promise<readonly string[]>;
  /** Gives an item new content. */
  change(id: string, text: string): Promise<void>;
  /** Gives an item another name and the same content; answers with its id from then on. Absent where a name is nothing of its own. */
  rename?(id: string, name: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** From now on, what goes wrong with the nth request (from 1); nothing without a plan. Absent where requests cannot be reported apart. */
  fail?(plan?: (number: number) => SceneFault | undefined): void;
  /** Called before each request is answered, by its number from 1: the place to change data in mid-listing. Absent likewise. */
  before?(listener?: (number: number) => void): void;
  /** Changes the text of each answer on its way out, by its number from 1; nothing without a function. */
  rewrite?(change?: (body: string, number: number) => string): void;
  /** Requests since the start. */
  requests?(): number;
  /** Access tokens so far become invalid; the connector can get new ones. Absent where credentials do not expire. */
  expireTokens?(): void;
  /** Tokens that were renewed so far. */
  renewals?(): number;
  stop(): Promise<void>;
}

/** What only some sources can do; the suite skips its tests for the others. */
export type Ability =
  | 'rename'
  /** `fail`, `before`, `rewrite` and `requests`: the requests to the source can be changed. */
  | 'requests'
  | 'tokens'
  | 'change feed'
  | 'permissions'
  | 'writing';

/** One type of source, as the conformance suite drives it. */
export interface Subject {
  readonly type: string;
  /** What this source cannot do. Its scene and connector must not have the methods for it. */
  readonly lacks: readonly Ability[];
  start(): Promise<Scene>;
  /** False where the change feed does not tell of deletions. Default true. */
  readonly feedTellsDeletions?: boolean;
  /** True where an item keeps its id with another name. */
  readonly keepsIdOnRename?: boolean;
  /** False where `name` is not shown in an item's title or path. Default true. */
  readonly showsName?: boolean;
  /** True where what was listed can still be read after it was removed. */
  readonly keepsRemoved?: boolean;
  /** Items of the large listing; 2,500 by default. */
  readonly many?: number;
  /** False where there is nothing to sign in to. Default true. */
  readonly hasCredentials?: boolean;
  /** True where a grant without a subject means everybody. */
  readonly nobodyIsEverybody?: boolean;
  /** True where `list` may tell an item twice. */
  readonly repeats?: boolean;
}
