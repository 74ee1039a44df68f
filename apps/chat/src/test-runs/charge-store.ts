import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@lectern/service-kit';
import type { PrismaClient, TestRun } from '#gen/prisma/client';

/** How often a worker looks for the decision about its charge: seldom if no gateway answers. */
const MIN_POLL_MS = 50;
const MAX_POLL_MS = 1_000;
/** Runs take at most 60 minutes, so no worker waits for an older charge. */
const STALE_HOURS = 2;
/** The charges that the gateway receives at once. */
const BATCH = 200;

/** The budget that pays for a run is used up. Its message is the reason for the people of the team. */
export class BudgetExceeded extends Error {}

/** A run ended before a gateway decided about its charge. */
export class Undecided extends Error {}

/** What a question used: the count of its reply, or how much the model wrote before it failed. */
export interface Used {
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null;
  readonly written: number;
}

/**
 * Requests the budget of a question and waits for it. Returns the id of the charge, which `endCharge` must
 * end; undefined if no one pays for the run. Throws `BudgetExceeded`, and `Undecided` when the signal aborts.
 */
export async function requestCharge(
  db: PrismaClient,
  { teamId, subject }: Pick<TestRun, 'teamId' | 'subject'>,
  model: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (subject === null) return undefined;
  const id = newId('request');
  await db.testCharge.create({ data: { id, teamId, subject, model } });
  try {
    for (let pollMs = MIN_POLL_MS; ; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
      const charge = await db.testCharge.findUnique({ where: { id } });
      if (charge?.state === 'granted') return id;
      if (charge?.state === 'refused') throw new BudgetExceeded(charge.reason ?? 'The budget is used up.');
      await delay(pollMs, undefined, { signal });
    }
  } catch (error) {
    if (error instanceof BudgetExceeded) await db.testCharge.deleteMany({ where: { id } });
    else await endCharge(db, id, { usage: null, written: 0 });
    if (signal.aborted) throw new Undecided('No gateway decided about the charge.', { cause: error });
    throw error;
  }
}

/** Reports what a question has used. The gateway settles the charge. */
export async function endCharge(db: PrismaClient, id: string, { usage, written }: Used): Promise<void> {
  const { promptTokens = null, completionTokens = null } = usage ?? {};
  await db.testCharge.updateMany({ where: { id }, data: { state: 'ended', promptTokens, completionTokens, written } });
}

/** Returns the oldest charges that the gateway must decide or settle. */
export const openCharges = (db: PrismaClient) =>
  db.testCharge.findMany({
    where: { state: { in: ['requested', 'ended'] } },
    orderBy: { createdAt: 'asc' },
    take: BATCH,
  });

/**
 * Stores the decisions of the gateway, and deletes settled charges. Returns the granted ones that another
 * gateway has refused or settled before.
 */
export async function resolveCharges(
  db: PrismaClient,
  {
    granted,
    refused,
    settled,
  }: {
    readonly granted: readonly string[];
    readonly refused: readonly { readonly id: string; readonly reason: string }[];
    readonly settled: readonly string[];
  },
): Promise<string[]> {
  await db.$transaction([
    db.testCharge.updateMany({ where: { id: { in: [...granted] }, state: 'requested' }, data: { state: 'granted' } }),
    ...refused.map(({ id, reason }) =>
      db.testCharge.updateMany({ where: { id, state: 'requested' }, data: { state: 'refused', reason } }),
    ),
    db.testCharge.deleteMany({ where: { id: { in: [...settled] }, state: 'ended' } }),
  ]);
  if (granted.length === 0) return [];
  // An ended charge is settled before it is deleted.
  const found = await db.testCharge.findMany({
    where: { id: { in: [...granted] }, state: { in: ['granted', 'ended'] } },
    select: { id: true },
  });
  const open = new Set(found.map(({ id }) => id));
  return granted.filter((id) => !open.has(id));
}

/** Deletes the charges of lost workers. The gateway charges their reservations when these expire. */
export async function removeStaleCharges(db: PrismaClient): Promise<void> {
  await db.$executeRaw`
    DELETE FROM test_charges WHERE state <> 'ended' AND created_at < now() - ${STALE_HOURS} * interval '1 hour'`;
}
