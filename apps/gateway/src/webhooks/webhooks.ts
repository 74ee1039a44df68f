import type { EgressGuard } from '@lectern/egress';
import type { Logger, Running, Secrets } from '@lectern/service-kit';
import type { Clients } from '#clients';
import type { Config } from '#config';
import type { PrismaClient } from '#gen/prisma/client';
import { type DispatchContext, startDispatcher } from '#webhooks/dispatcher';
import { startFetching } from '#webhooks/fetch-events';
import { sendInterests } from '#webhooks/interests';
import { observeDeliveries } from '#webhooks/purge-deliveries';

/** The endpoint has this long to respond. */
const TIMEOUT_MS = 10_000;
/** A service that does not respond in time gets the interests later. */
const INTERESTS_MS = 3_000;

/** Sends the events of the services to webhooks. */
export interface Webhooks {
  readonly dispatch: DispatchContext;
  /** Sends what the webhooks of a team need to the services. Never throws. */
  sendInterests(teamId: string): Promise<void>;
  start(): Running;
}

export interface WebhooksOptions {
  readonly config: Pick<Config, 'WEBHOOK_ALLOW_HTTP' | 'WEBHOOK_MAX_PENDING'>;
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly egress: EgressGuard;
  readonly secrets: Secrets;
  readonly clients: Pick<Clients, 'events'>;
}

export function createWebhooks({ config, db, log, egress, secrets, clients }: WebhooksOptions): Webhooks {
  const now = () => new Date();
  const sendOf = (teamId: string) =>
    sendInterests({ db, log }, clients.events, AbortSignal.timeout(INTERESTS_MS), [teamId]);
  const dispatch: DispatchContext = {
    ...{ db, log, egress, secrets, now },
    settings: { timeoutMs: TIMEOUT_MS, allowHttp: config.WEBHOOK_ALLOW_HTTP },
    onDisabled: (teamId) => void sendOf(teamId),
  };
  return {
    dispatch,
    sendInterests: sendOf,
    start: () => {
      const tasks = [
        startFetching({ db, log, clients: clients.events, maxPending: config.WEBHOOK_MAX_PENDING, now }),
        startDispatcher(dispatch),
        observeDeliveries(db),
      ];
      return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) };
    },
  };
}
