import type {
  ClaimScheduleDeliveriesRequest,
  ClaimScheduleRunsRequest,
  EndScheduleDeliveryRequest,
  EndScheduleRunRequest,
  NoteScheduleRunRequest,
  RenewScheduleRunRequest,
} from '@lectern/contracts';
import { invalidRequest, requireBackgroundWork, type ServiceCall } from '@lectern/service-kit';
import { storableText } from '@lectern/text';
import type { Context } from '#context';
import type { ScheduleRun } from '#gen/prisma/client';
import { type ClaimedDelivery, claimDeliveries, endDelivery } from '#schedules/delivery-store';
import { claimRuns, databaseTime, endRun, noteRun, renewRun, retryRun } from '#schedules/run-store';
import { knownTarget } from '#schedules/targets';

/** The most runs or deliveries of one claim. */
const MAX_CLAIM = 50;

/** Wraps a handler that serves all teams: keys and people cannot call it. */
const forGateway =
  <Q, R>(handle: (request: Q) => Promise<R>) =>
  async (request: Q, { caller }: ServiceCall): Promise<R> => {
    requireBackgroundWork(caller);
    return handle(request);
  };

function limitOf(limit: number): number {
  if (limit >= 1) return Math.min(limit, MAX_CLAIM);
  throw invalidRequest([{ path: 'limit', message: 'must be at least 1' }]);
}

const toClaimedRun = ({ conversationId, messageId, ...run }: ScheduleRun) => ({
  ...run,
  conversationId: conversationId ?? undefined,
  messageId: messageId ?? undefined,
});

export const claimScheduleRuns = ({ db }: Context) =>
  forGateway(async ({ holder, limit }: ClaimScheduleRunsRequest) => {
    const { runs, pauses } = await claimRuns(db, { holder, limit: limitOf(limit), now: await databaseTime(db) });
    return {
      runs: runs.map(toClaimedRun),
      pauses: pauses.map(({ run, reason }) => ({ run: toClaimedRun(run), reason })),
    };
  });

export const renewScheduleRun = ({ db }: Context) =>
  forGateway(async ({ id, holder }: RenewScheduleRunRequest) => ({
    held: await renewRun(db, id, holder, await databaseTime(db)),
  }));

export const noteScheduleRun = ({ db }: Context) =>
  forGateway(async ({ id, holder, ...note }: NoteScheduleRunRequest) => {
    await noteRun(db, id, holder, note);
    return {};
  });

const isPause = (text: string | undefined): text is 'owner' | 'access' => text === 'owner' || text === 'access';

export const endScheduleRun = ({ db }: Context) =>
  forGateway(async ({ id, holder, failure, retry }: EndScheduleRunRequest) => {
    const now = await databaseTime(db);
    if (retry !== undefined) {
      await retryRun(db, { id, holder }, retry, now);
      return {};
    }
    if (failure === undefined) return { pausedReason: await endRun(db, { id, holder }, now) };
    const pause = isPause(failure.pause) ? failure.pause : undefined;
    const message = storableText(failure.message);
    return { pausedReason: await endRun(db, { id, holder, failure: { ...failure, message, pause } }, now) };
  });

function toClaimed({ number, target, attempts, run }: ClaimedDelivery) {
  const { id: runId, scheduleId, teamId, agentId, ownerId, message: question, schedule } = run;
  return {
    runId,
    number,
    scheduleId,
    scheduleName: schedule.name,
    teamId,
    agentId,
    agentName: schedule.agent.name,
    ownerId,
    // An unknown target of a newer replica must not stop the other deliveries of a claim.
    target: knownTarget(target),
    conversationId: run.conversationId ?? '',
    messageId: run.messageId ?? '',
    attempts,
    question,
    collectionIds: schedule.agent.collectionIds,
  };
}

export const claimScheduleDeliveries = ({ db }: Context) =>
  forGateway(async ({ holder, limit }: ClaimScheduleDeliveriesRequest) => {
    const claim = { holder, limit: limitOf(limit), now: await databaseTime(db) };
    return { deliveries: (await claimDeliveries(db, claim)).map(toClaimed) };
  });

export const endScheduleDelivery = ({ db }: Context) =>
  forGateway(async ({ result, ...attempt }: EndScheduleDeliveryRequest) => {
    const sources = result?.sources.map(({ id, title, url }) => ({ id, title, url: url ?? null })) ?? [];
    const converted = result && { content: result.content, sources };
    await endDelivery(db, { ...attempt, result: converted }, await databaseTime(db));
    return {};
  });
