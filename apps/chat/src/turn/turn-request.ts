import type { Models } from '@lectern/llm';
import type { Caller, Logger } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import type { TurnServices } from '#turn/turn-services';

/** A checked request for a reply. */
export interface TurnRequest {
  readonly message: string;
  readonly conversationId: string | undefined;
  /** Empty: every collection that the caller reaches. */
  readonly collections: readonly string[];
  readonly model: string | undefined;
  readonly agentId: string | undefined;
  readonly maxTokens: number | undefined;
}

/** What a turn works with. */
export interface TurnDeps {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly models: Models;
  readonly services: TurnServices;
  readonly caller: Caller;
  /** Ends the turn: the caller left, or the deadline has passed. */
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
}
