import { setTimeout as delay } from 'node:timers/promises';
import type { TestCharge } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import type { Actor } from '#audit/record-audit';
import { usedUp } from '#budgets/budget-errors';
import { type Subject, subjectOf } from '#budgets/limits';
import { estimateOf, NO_TOKENS, STEP } from '#budgets/meter';
import { monthOf } from '#budgets/month';
import { amountOf, NOTHING, readPrices, type Tokens } from '#budgets/prices';
import { reserve, settle } from '#budgets/reservations';
import type { Context } from '#context';
import { forAllTeams } from '#pipeline/for-all-teams';

/** While test cases run, the gateway looks for charges this often. */
const ACTIVE_MS = 100;
/** How long after the last charge test cases still count as running. */
const ACTIVE_FOR_MS = 5_000;

/** The tokens of a question that has ended. */
function tokensOf({ usage, written }: TestCharge): Tokens {
  if (usage !== undefined) return usage;
  return written === 0 ? NO_TOKENS : estimateOf(NO_TOKENS, written);
}

const actorOf = ({ teamId, id, isPerson }: Subject): Actor => ({
  teamId,
  keyId: isPerson ? undefined : id,
  origin: 'lectern',
});

/** Charges what a question used. A reservation that has ended was charged, so nothing counts twice. */
async function settleCharge(ctx: Context, charge: TestCharge): Promise<void> {
  const { id, teamId, subject, model } = charge;
  const tokens = tokensOf(charge);
  const amount = amountOf(await readPrices(ctx.db, teamId), model, tokens);
  if (!(await settle(ctx.db, { id }, amount, actorOf(subjectOf(teamId, subject))))) return;
  ctx.usage.countTokens({ teamId, subject, model, ...tokens, cost: amount.cost });
}

/** Reserves what a question will probably use. Returns why that is impossible. */
async function decide(
  ctx: Context,
  { id, teamId, subject: subjectId, model }: TestCharge,
): Promise<string | undefined> {
  const subject = subjectOf(teamId, subjectId);
  const month = monthOf(new Date());
  const amount = amountOf(await readPrices(ctx.db, teamId), model, STEP);
  const { refused } = await reserve(ctx.db, { id, subject, month }, amount);
  if (refused === undefined) return undefined;
  return usedUp(refused, month, `The budget of the ${subject.isPerson ? 'person' : 'API key'} that pays for this run`);
}

/** Decides and settles the charges of test runs. Returns their number. */
async function resolveTestCharges(ctx: Context, signal: AbortSignal): Promise<number> {
  const { testCases } = ctx.clients;
  const { charges } = await testCases.listTestCharges({}, forAllTeams(signal));
  const granted: string[] = [];
  const refused: { readonly id: string; readonly reason: string }[] = [];
  const settled: string[] = [];
  for (const charge of charges) {
    if (charge.ended) {
      await settleCharge(ctx, charge);
      settled.push(charge.id);
      continue;
    }
    const reason = await decide(ctx, charge);
    if (reason === undefined) granted.push(charge.id);
    else refused.push({ id: charge.id, reason });
  }
  if (charges.length === 0) return 0;
  const request = { granted, refused, settled };
  const { notGranted } = await testCases.resolveTestCharges(request, forAllTeams(signal));
  // Another gateway may have settled a charge before this one reserved for it, or this one before another.
  const ended = new Set([...notGranted, ...settled]);
  for (const { id, teamId, subject } of charges) {
    if (ended.has(id)) await settle(ctx.db, { id }, NOTHING, actorOf(subjectOf(teamId, subject)));
  }
  return charges.length;
}

/** Resolves charges until there were none for some seconds. */
export async function resolveTestChargesWhileActive(ctx: Context, signal: AbortSignal): Promise<void> {
  let lastAt = Number.NEGATIVE_INFINITY;
  do {
    try {
      if ((await resolveTestCharges(ctx, signal)) > 0) lastAt = performance.now();
    } catch (error) {
      // The chat service is unavailable or older. Its runs wait.
      if (error instanceof AppError) return;
      throw error;
    }
    await delay(ACTIVE_MS, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted && performance.now() - lastAt < ACTIVE_FOR_MS);
}
