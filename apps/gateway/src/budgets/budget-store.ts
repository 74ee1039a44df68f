import { type Limits, NO_LIMITS, PEOPLE, subjectOf } from '#budgets/limits';
import { monthOf } from '#budgets/month';
import { type Amount, NOTHING } from '#budgets/prices';
import type { Prisma } from '#gen/prisma/client';

type Db = Prisma.TransactionClient;

/** The limits of a person, a key pair or all people, and what was used of them. */
export interface BudgetState {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly limits: Limits;
  readonly used: Amount;
  readonly month: Date;
}

const ALL_PEOPLE = 'All people';

/** Returns the names of people and key pairs of a team by id. Ids of others are missing. */
export async function namesOf(db: Db, teamId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const where = { teamId, id: { in: [...ids] } };
  const [people, pairs] = await Promise.all([db.person.findMany({ where }), db.keyPair.findMany({ where })]);
  return new Map([...people, ...pairs].map(({ id, name }) => [id, name]));
}

/** Returns the budgets of subjects of a team, without those that do not exist. */
async function readStates(db: Db, teamId: string, ids: readonly string[]): Promise<readonly BudgetState[]> {
  const month = monthOf(new Date());
  const [names, budgets, uses] = await Promise.all([
    namesOf(db, teamId, ids),
    db.budget.findMany({ where: { teamId, subject: { in: [...ids, PEOPLE] } } }),
    db.budgetUse.findMany({ where: { teamId, month, subject: { in: [...ids] } } }),
  ]);
  const budgetOf = new Map(budgets.map((budget) => [budget.subject, budget]));
  const useOf = new Map(uses.map((use) => [use.subject, use]));
  return ids.flatMap((id) => {
    const name = id === PEOPLE ? ALL_PEOPLE : names.get(id);
    if (name === undefined) return [];
    const own = budgetOf.get(id);
    const shared = subjectOf(teamId, id).isPerson ? budgetOf.get(PEOPLE) : undefined;
    const limits = own ?? shared ?? NO_LIMITS;
    return [{ id, name, isDefault: own === undefined, limits, used: useOf.get(id) ?? NOTHING, month }];
  });
}

/** Returns the budget of a person, a key pair or all people. Undefined if the team has no such subject. */
export async function findBudget(db: Db, teamId: string, id: string): Promise<BudgetState | undefined> {
  const [state] = await readStates(db, teamId, [id]);
  return state;
}

const FIRST = { skip: 0, take: 1 };

interface Row {
  readonly id: string;
}

/**
 * Returns a page of the budgets of a team, and their number: that of all people, and of all who have
 * limits or have used tokens in this month.
 */
export async function listBudgets(
  db: Db,
  teamId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly budgets: readonly BudgetState[]; readonly total: number }> {
  const month = monthOf(new Date());
  const subjects = await db.$queryRaw<(Row & { readonly total: bigint })[]>`
    WITH used AS (SELECT subject, tokens, cost FROM budget_use WHERE team_id = ${teamId} AND month = ${month}::date),
      subjects AS (SELECT subject FROM used UNION SELECT subject FROM budgets WHERE team_id = ${teamId}
        UNION SELECT ${PEOPLE}),
      known AS (SELECT subject FROM subjects WHERE subject = ${PEOPLE}
        OR subject IN (SELECT id FROM people WHERE team_id = ${teamId})
        OR subject IN (SELECT id FROM key_pairs WHERE team_id = ${teamId}))
    SELECT subject AS id, count(*) OVER () AS total FROM known LEFT JOIN used USING (subject)
    ORDER BY subject <> ${PEOPLE}, cost DESC NULLS LAST, tokens DESC NULLS LAST, subject
    OFFSET ${skip} LIMIT ${take}`;
  const ids = subjects.map(({ id }) => id);
  // A page past the end has no row that contains the number.
  if (ids.length === 0 && skip > 0) return { budgets: [], total: (await listBudgets(db, teamId, FIRST)).total };
  return { budgets: await readStates(db, teamId, ids), total: Number(subjects[0]?.total ?? 0) };
}

/** Sets the limits of a subject. */
export async function setLimits(db: Db, teamId: string, subject: string, limits: Limits): Promise<void> {
  await db.budget.upsert({
    where: { teamId_subject: { teamId, subject } },
    create: { teamId, subject, ...limits },
    update: limits,
  });
}

/** Removes the limits of a subject. */
export async function deleteLimits(db: Db, teamId: string, subject: string): Promise<void> {
  await db.budget.deleteMany({ where: { teamId, subject } });
}
