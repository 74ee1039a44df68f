import type { RunSettings } from '@lectern/contracts';
import type { Models } from '@lectern/llm';
import type { Caller, Deadline, Logger } from '@lectern/service-kit';
import type { TurnLeases } from '#conversations/turn-lease';
import type { PrismaClient } from '#gen/prisma/client';
import type { PartialReply } from '#replies/reply-rest';
import type { TurnServices } from '#turn/turn-services';

/** Options of a reply. Undefined options have a default. */
interface ReplyOptions {
  readonly model: string | undefined;
  readonly maxTokens: number | undefined;
}

/** A validated request for a reply. */
export interface MessageRequest extends ReplyOptions {
  readonly kind: 'message';
  readonly message: string;
  readonly conversationId: string | undefined;
  /** An empty list means all collections that the caller can access. */
  readonly collections: readonly string[];
  readonly agentId: string | undefined;
  /** In place of those of the agent, for this reply. */
  readonly agentSettings: RunSettings | undefined;
}

/** A validated request to regenerate the last reply, by default with the options of its message. */
export interface RegenerateTurnRequest extends ReplyOptions {
  readonly kind: 'regenerate';
  readonly conversationId: string;
  /** An empty list means the collections of the message. */
  readonly collections: readonly string[];
}

export type TurnRequest = MessageRequest | RegenerateTurnRequest;

/** The dependencies of a turn. */
export interface TurnDeps {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly models: Models;
  readonly services: TurnServices;
  readonly leases: TurnLeases;
  readonly caller: Caller;
  /** Called for a failure after the first event, before the lease is released. Never throws. */
  readonly onFailure: (error: unknown) => Promise<void>;
  /**
   * The documents that were shown to the model for this reply, directly or through earlier
   * messages.
   */
  readonly shown: Set<string>;
  /** Returns the reply so far. */
  readonly replySoFar: () => PartialReply;
  /** Ends the turn: the caller left, or the deadline has passed. */
  readonly signal: AbortSignal;
  readonly deadline: Pick<Deadline, 'signal' | 'pause'>;
}
