import type { PlatformServer } from '@lectern/testing';

/** An item of a test's source. */
export interface Wanted {
  readonly name: string;
  readonly text: string;
}

/** The emulator of a source. Ids are those that the connector gives its items. */
export interface Scene {
  readonly type: string;
  /** Absent for a real source. */
  readonly server?: PlatformServer;
  /** Settings of the connector service with the emulator's address. */
  readonly env: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
  /** Undefined if the connector uses OAuth. */
  readonly credentials: Readonly<Record<string, unknown>> | undefined;
  add(wanted: readonly Wanted[]): string[] | Promise<string[]>;
  change(id: string, text: string): void | Promise<void>;
  /** Absent if an item's name is its id, or if it has none. */
  rename?(id: string, name: string): void | Promise<void>;
  remove(id: string): void | Promise<void>;
  /** Access tokens given out so far stop working. */
  expireTokens?(): void;
  stop(): Promise<void>;
}

export const CALLBACK = 'https://lectern.test/callback';
