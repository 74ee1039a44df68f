import type { Fault } from '@lectern/testing';

type ServerFault = Extract<Fault, { kind: 'status' | 'truncated' }>;

/** An emulator that can fail, of any protocol. Requests are numbered from 1. */
interface FaultyServer {
  fail(plan?: (request: unknown, number: number) => ServerFault | undefined): void;
  before(listener?: () => void | Promise<void>): void;
}

/** An item to add to a source. */
export interface NewItem {
  readonly name: string;
  readonly text: string;
}

/** An emulated or real source. Item ids are those that the connector assigns. */
export interface TestSource {
  readonly type: string;
  /** Absent for a real source. */
  readonly server?: FaultyServer;
  /** False if items have no URL. Default true. */
  readonly hasUrls?: boolean;
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
