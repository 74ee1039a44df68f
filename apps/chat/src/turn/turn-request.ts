import type { Models } from '@lectern/llm';
import type { Caller, Logger } from '@lectern/service-kit';
import type { TurnLeases } from '#conversations/turn-lease';
import type { PrismaClient } from '#gen/prisma/client';
import type { KnownReply } from '#replies/reply-rest';
import type { TurnServices } from '#turn/turn-services';

/** How a reply is asked for. What is undefined has a default. */
interface Wishes {
  readonly model: string | undefined;
  readonly maxTokens: number | undefined;
}

/** A checked request for a reply. */
export interface MessageRequest extends Wishes {
  readonly kind: 'message';
  readonly message: string;
  readonly conversationId: string | undefined;
  /** Empty: every collection that the caller reaches. */
  readonly collections: readonly string[];
  readonly agentId: string | undefined;
}

/** A checked request to answer the last message of a conversation anew, by default as it was asked. */
export interface AnewRequest extends Wishes {
  readonly kind: 'anew';
  readonly conversationId: string;
  /** Empty: where the message asked to look. */
  readonly collections: readonly string[];
}

export type TurnRequest = MessageRequest | AnewRequest;

/** What a turn works with. */
export interface TurnDeps {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly models: Models;
  readonly services: TurnServices;
  readonly leases: TurnLeases;
  readonly caller: Caller;
  /** Told of a failure after the first event, before the conversation is free again. Never throws. */
  readonly onFailure: (error: unknown) => Promise<void>;
  /**
   * The documents that were shown to the model for this reply, directly or through earlier
   * messages.
   */
  readonly shown: Set<string>;
  /** What of the reply has been told so far. */
  readonly said: () => KnownReply;
  /** Ends the turn: the caller left, or the deadline has passed. */
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
}
