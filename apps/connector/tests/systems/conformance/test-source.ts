import type { PlatformServer } from '@lectern/testing';

/** An item to add to a source. */
export interface NewItem {
  readonly name: string;
  readonly text: string;
}

/** An emulated or real source. Item ids are those that the connector assigns. */
export interface TestSource {
  readonly type: string;
  /** Absent for a real source. */
  readonly server?: PlatformServer;
  /** Settings of the connector service with the emulator's address. */
  readonly env: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
  /** Undefined if the connector uses OAuth. */
  readonly credentials: Readonly<Record<string, unknown>> | undefined;
  add(items: readonly NewItem[]): string[] | Promise<string[]>;
  change(id: string, text: string): void | Promise<void>;
  /** Absent if an item's name is its id, or if it has none. */
  rename?(id: string, name: string): void | Promise<void>;
  remove(id: string): void | Promise<void>;
  /** Expires all access tokens. */
  expireTokens?(): void;
  stop(): Promise<void>;
}

export const CALLBACK = 'https://lectern.test/callback';
