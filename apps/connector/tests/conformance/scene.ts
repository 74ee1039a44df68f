import type { PlatformServer } from '@lectern/testing';

/** An item that a test wants in a source. */
export interface Wanted {
  readonly name: string;
  readonly text: string;
}

/** A source's stand-in, as the engine's suite plays it. Ids are those that the connector gives its items. */
export interface Scene {
  readonly type: string;
  /** Absent where the source is a real one. */
  readonly server?: PlatformServer;
  /** Settings of the connector service by which it finds the stand-in. */
  readonly env: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
  /** Undefined where a user authorises the connector in a browser. */
  readonly credentials: Readonly<Record<string, unknown>> | undefined;
  add(wanted: readonly Wanted[]): string[] | Promise<string[]>;
  change(id: string, text: string): void | Promise<void>;
  /** Absent where an item's name is its id, or it has none. */
  rename?(id: string, name: string): void | Promise<void>;
  remove(id: string): void | Promise<void>;
  /** Access tokens given out so far stop working. */
  expireTokens?(): void;
  stop(): Promise<void>;
}

export const CALLBACK = 'https://lectern.test/callback';
