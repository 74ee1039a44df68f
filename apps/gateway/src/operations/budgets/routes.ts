import { budgets } from '@lectern/api-spec';
import { AppError, notFound, pageInfo, readPage } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import { deleteLimits, findBudget, listBudgets, setLimits } from '#budgets/budget-store';
import { readPrices } from '#budgets/prices';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { type ApiResponse, data, page } from '#http/api-response';
import { lockRights } from '#identity/credential';
import { budgetRecord, limitsOf, priceOf, priceRecord } from '#operations/budgets/mapping';
import { type KeyedCall, route } from '#pipeline/operation';

async function requireBudget(db: Prisma.TransactionClient, teamId: string, id: string) {
  const budget = await findBudget(db, teamId, id);
  if (budget === undefined) throw notFound('budget', id);
  return budget;
}

/** Changes a budget and records it in the audit log. */
function changeBudget(
  ctx: Context,
  call: KeyedCall,
  id: string,
  action: 'setBudget' | 'deleteBudget',
  details: Prisma.InputJsonObject,
  change: (tx: Prisma.TransactionClient) => Promise<void>,
): Promise<ApiResponse> {
  if (call.key.person === undefined && id === call.key.pairId) {
    throw new AppError('forbidden', 'A key cannot change its own budget. Sign in as an admin, or use another key.');
  }
  return ctx.db.$transaction(async (tx) => {
    await lockRights(ctx, tx, call);
    await requireBudget(tx, call.caller.teamId, id);
    await change(tx);
    await recordAudit(tx, actorOf(call), { action, resourceType: 'budget', resourceId: id, details });
    return data(budgetRecord(await requireBudget(tx, call.caller.teamId, id)));
  });
}

export const budgetRoutes = [
  route(budgets.listBudgets, async ({ db }, { query }, { caller }) => {
    const paging = readPage(query);
    const found = await listBudgets(db, caller.teamId, paging);
    return page(found.budgets.map(budgetRecord), pageInfo(paging, found.total));
  }),

  route(budgets.getBudget, async ({ db }, { params: { id } }, { caller }) =>
    data(budgetRecord(await requireBudget(db, caller.teamId, id))),
  ),

  route(budgets.setBudget, async (ctx, { params: { id }, body }, call) =>
    changeBudget(ctx, call, id, 'setBudget', { ...body }, (tx) =>
      setLimits(tx, call.caller.teamId, id, limitsOf(body)),
    ),
  ),

  route(budgets.deleteBudget, async (ctx, { params: { id } }, call) =>
    changeBudget(ctx, call, id, 'deleteBudget', {}, (tx) => deleteLimits(tx, call.caller.teamId, id)),
  ),

  route(budgets.listModelPrices, async ({ db }, _input, { caller }) =>
    data((await readPrices(db, caller.teamId)).map(priceRecord)),
  ),

  route(budgets.setModelPrices, async (ctx, { body: { prices } }, call) => {
    const { teamId } = call.caller;
    return ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      await tx.modelPrice.deleteMany({ where: { teamId } });
      await tx.modelPrice.createMany({ data: prices.map((price) => ({ teamId, ...priceOf(price) })) });
      const action = { action: 'setModelPrices', resourceType: 'model_prices', resourceId: undefined };
      await recordAudit(tx, actorOf(call), { ...action, details: { prices: prices.map((price) => ({ ...price })) } });
      return data((await readPrices(tx, teamId)).map(priceRecord));
    });
  }),
];
