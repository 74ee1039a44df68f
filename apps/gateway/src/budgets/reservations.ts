import { MAX_APPROVAL_WAIT_MS } from '@lectern/contracts';
import { type Action, type Actor, recordAudit } from '#audit/record-audit';
import { findLimits, type ReachedLimit, reachedHard, reachedSoft, type Subject, subjectOf } from '#budgets/limits';
import { type Amount, NOTHING } from '#budgets/prices';
import type { BudgetReservation, Prisma, PrismaClient } from '#gen/prisma/client';

/** Longer than the deadline of any reply, and than that of one that waits for approvals. */
const RESERVED_SECONDS = 660;
const WAITING_SECONDS = RESERVED_SECONDS + MAX_APPROVAL_WAIT_MS / 1_000;
/** How many expired reservations are charged at once. */
const EXPIRED = 500;

/** What a reply reserves until its usage is known. */
export interface Reservation {
  readonly id: string;
  readonly subject: Subject;
  /** The month in which the reply started. It pays for the whole reply. */
  readonly month: Date;
  /** True if the reply may also wait for approvals. */
  readonly waits?: boolean;
}

/** The outcome of an attempt to reserve. */
export interface Reserved {
  /** The hard limit that prevents the reservation. */
  readonly refused?: ReachedLimit | undefined;
  /** The soft limit that is already reached. */
  readonly warning?: ReachedLimit | undefined;
}

type Db = Prisma.TransactionClient;

const sum = (a: Amount, b: Amount): Amount => ({ tokens: a.tokens + b.tokens, cost: a.cost + b.cost });

/**
 * Returns what a subject has used in a month, and locks that until the transaction ends: all replicas
 * reserve and charge one after another.
 */
async function lockUse(tx: Db, { id, teamId }: Subject, month: Date): Promise<Amount> {
  const [use = NOTHING] = await tx.$queryRaw<Amount[]>`
    INSERT INTO budget_use AS known (subject, month, team_id) VALUES (${id}, ${month}::date, ${teamId})
    ON CONFLICT (subject, month) DO UPDATE SET tokens = known.tokens RETURNING tokens, cost`;
  return use;
}

/** Returns what the other replies of the subject have reserved. */
async function reservedByOthers(tx: Db, { id, subject, month }: Reservation): Promise<Amount> {
  const [reserved = NOTHING] = await tx.$queryRaw<Amount[]>`
    SELECT coalesce(sum(tokens), 0)::bigint AS tokens, coalesce(sum(cost), 0)::bigint AS cost
    FROM budget_reservations WHERE subject = ${subject.id} AND month = ${month}::date AND id <> ${id}`;
  return reserved;
}

/**
 * Reserves `amount`, unless what was used and reserved has reached a hard limit. `spent` is the part of
 * the amount that the reply has already used: none at its start. Calling it again changes the amount.
 */
export async function reserve(
  db: PrismaClient,
  reservation: Reservation,
  amount: Amount,
  spent: Amount = NOTHING,
): Promise<Reserved> {
  const { id, subject, month, waits } = reservation;
  const seconds = waits === true ? WAITING_SECONDS : RESERVED_SECONDS;
  return db.$transaction(async (tx) => {
    const used = await lockUse(tx, subject, month);
    const { limits } = await findLimits(tx, subject);
    const inFlight = sum(used, sum(await reservedByOthers(tx, reservation), spent));
    const refused = reachedHard(limits, inFlight);
    if (refused !== undefined) return { refused };
    await tx.$executeRaw`
      INSERT INTO budget_reservations (id, subject, month, tokens, cost, expires_at)
      VALUES (${id}, ${subject.id}, ${month}::date, ${amount.tokens}, ${amount.cost},
        now() + ${seconds} * interval '1 second')
      ON CONFLICT (id) DO UPDATE SET tokens = excluded.tokens, cost = excluded.cost, expires_at = excluded.expires_at`;
    return { warning: reachedSoft(limits, used) };
  });
}

/** Notes the message of a reservation, so that whoever resumes its stream can settle it. */
export async function noteReply(db: PrismaClient, id: string, replyId: string): Promise<void> {
  await db.budgetReservation.updateMany({ where: { id }, data: { replyId } });
}

const warningOf = ({ id, isPerson }: Subject, { unit, limit, used }: ReachedLimit): Action => ({
  action: 'reachSoftLimit',
  resourceType: isPerson ? 'person' : 'key',
  resourceId: id,
  details: { unit, limit: Number(limit), used: Number(used) },
});

/** Charges an amount. The first time in a month that it reaches a soft limit, the audit log records it. */
async function charge(tx: Db, subject: Subject, month: Date, amount: Amount, actor: Actor): Promise<void> {
  const used = sum(await lockUse(tx, subject, month), amount);
  const where = { subject_month: { subject: subject.id, month } };
  const { warnedAt } = await tx.budgetUse.update({ where, data: used });
  const { limits } = await findLimits(tx, subject);
  const reached = reachedSoft(limits, used);
  if (reached === undefined || warnedAt !== null) return;
  await tx.budgetUse.update({ where, data: { warnedAt: new Date() } });
  await recordAudit(tx, actor, warningOf(subject, reached));
}

type Where = { readonly id: string } | { readonly replyId: string };

/** Ends a reservation and charges an amount. Returns false if the reservation has already ended. */
async function end(
  db: PrismaClient,
  where: Where,
  teamId: string,
  amountFor: (reservation: BudgetReservation) => Amount,
  actor: Actor,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const reservation = await tx.budgetReservation.findFirst({ where });
    if (reservation === null) return false;
    const { id, month } = reservation;
    const subject = subjectOf(teamId, reservation.subject);
    await lockUse(tx, subject, month);
    const { count } = await tx.budgetReservation.deleteMany({ where: { id } });
    if (count > 0) await charge(tx, subject, month, amountFor(reservation), actor);
    return count > 0;
  });
}

/** Ends a reservation and charges what was used instead. Returns false if it has already ended. */
export const settle = (db: PrismaClient, where: Where, amount: Amount, actor: Actor): Promise<boolean> =>
  end(db, where, actor.teamId, () => amount, actor);

/**
 * Charges expired reservations, so that none stays forever: their replies ended with their client or
 * their process, and have probably cost something.
 */
export async function chargeExpiredReservations(db: PrismaClient): Promise<void> {
  const expired = await db.budgetReservation.findMany({
    where: { expiresAt: { lt: new Date() } },
    orderBy: { expiresAt: 'asc' },
    take: EXPIRED,
  });
  for (const { id, subject, month } of expired) {
    const use = await db.budgetUse.findUnique({ where: { subject_month: { subject, month } } });
    if (use === null) {
      // Its month is already deleted, so nothing remains to be charged.
      await db.budgetReservation.deleteMany({ where: { id } });
      continue;
    }
    const { teamId } = use;
    await end(db, { id }, teamId, (reservation) => reservation, { teamId, keyId: undefined, origin: 'lectern' });
  }
}

/** Deletes what was used in months that ended more than `retentionDays` ago. */
export async function purgeBudgetUse(db: PrismaClient, retentionDays: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM budget_use
    WHERE month < (now() AT TIME ZONE 'UTC') - ${retentionDays} * interval '1 day' - interval '1 month'`;
}
