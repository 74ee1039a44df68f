import { isId } from '@lectern/contracts';
import type { Amount } from '#budgets/prices';
import type { Prisma } from '#gen/prisma/client';

/** The budget of all people without one of their own. */
export const PEOPLE = 'people';

/** The limits of a month. Null for no limit. Costs are in millionths. */
export interface Limits {
  readonly softTokens: bigint | null;
  readonly hardTokens: bigint | null;
  readonly softCost: bigint | null;
  readonly hardCost: bigint | null;
}

export const NO_LIMITS: Limits = { softTokens: null, hardTokens: null, softCost: null, hardCost: null };

/** A limit that was reached. */
export interface ReachedLimit {
  readonly unit: 'tokens' | 'cost';
  readonly limit: bigint;
  readonly used: bigint;
}

/** Who uses a budget: a key pair or a signed-in person. */
export interface Subject {
  readonly teamId: string;
  readonly id: string;
  readonly isPerson: boolean;
}

export const subjectOf = (teamId: string, id: string): Subject => ({ teamId, id, isPerson: isId('person', id) });

/** Limits, and whether they are those of all people. */
export interface AppliedLimits {
  readonly limits: Limits;
  readonly isDefault: boolean;
}

/** Returns the limits of a subject: its own ones, otherwise those of all people. */
export async function findLimits(db: Prisma.TransactionClient, subject: Subject): Promise<AppliedLimits> {
  const { teamId, id, isPerson } = subject;
  const budgets = await db.budget.findMany({ where: { teamId, subject: { in: isPerson ? [id, PEOPLE] : [id] } } });
  const own = budgets.find((budget) => budget.subject === id);
  return { limits: own ?? budgets[0] ?? NO_LIMITS, isDefault: own === undefined };
}

function reached(units: readonly (readonly ['tokens' | 'cost', bigint | null, bigint])[]): ReachedLimit | undefined {
  for (const [unit, limit, used] of units) if (limit !== null && used >= limit) return { unit, limit, used };
  return undefined;
}

export const reachedHard = ({ hardTokens, hardCost }: Limits, { tokens, cost }: Amount): ReachedLimit | undefined =>
  reached([
    ['tokens', hardTokens, tokens],
    ['cost', hardCost, cost],
  ]);

export const reachedSoft = ({ softTokens, softCost }: Limits, { tokens, cost }: Amount): ReachedLimit | undefined =>
  reached([
    ['tokens', softTokens, tokens],
    ['cost', softCost, cost],
  ]);
