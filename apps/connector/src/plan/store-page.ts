import { Prisma } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { rememberItems } from '../files/remember-items.ts';
import { type HeldPlan, keepCheckpoint } from './claim-plan.ts';
import { lockPlan } from './lock-plan.ts';
import { type ItemEvent, idOf, type Known, type PlannedItem, toItem } from './to-item.ts';

/** Those of the items that Lectern knows, with the version that is in the index. */
async function knownItems(tx: Prisma.TransactionClient, connectorId: string, ids: string[]): Promise<Known> {
  const files = await tx.file.findMany({
    where: { connectorId, sourceId: { in: ids } },
    select: { sourceId: true, indexedVersion: true, removedAt: true },
  });
  return new Map(files.map((file) => [file.sourceId, file.removedAt === null ? file.indexedVersion : null]));
}

/** A listing says one thing of an item; of a change feed, the last word counts, also over an item that is done already. */
const LATER_WINS = Prisma.sql`UPDATE
  SET path = excluded.path, action = excluded.action, ref = excluded.ref, stage = excluded.stage, round = sync_items.round + 1,
    collected = false, parsed = false, attempts = 0, outages = 0, enqueued_at = NULL, retry_at = NULL,
    error_code = excluded.error_code, error_message = excluded.error_message, updated_at = now()`;

async function insertItems(
  tx: Prisma.TransactionClient,
  { teamId, connectorId, jobId, changesFrom }: HeldPlan,
  items: readonly PlannedItem[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO sync_items (id, team_id, connector_id, job_id, source_id, path, action, ref, stage, error_code, error_message)
    SELECT item.id, ${teamId}, ${connectorId}, ${jobId}, item.source_id, item.path, item.action::item_action, item.ref,
      item.stage::item_stage, item.error_code, item.error_message
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS item (id text, source_id text, path text, action text, ref jsonb,
      stage text, error_code text, error_message text)
    ORDER BY item.id
    ON CONFLICT (job_id, source_id) DO ${changesFrom === null ? Prisma.sql`NOTHING` : LATER_WINS}`;
}

/**
 * Makes rows of a page's items, and only then, in the same transaction, keeps the checkpoint that stands behind them. Items of a listing
 * that have a row keep it, so a page may come any number of times. Progress gives a plan its attempts back.
 */
export async function storePage(
  ctx: Context,
  plan: HeldPlan,
  events: readonly ItemEvent[],
  checkpoint: string | undefined,
): Promise<void> {
  // Told twice within a page, the later is how it is now.
  const latest = [...new Map(events.map((event) => [idOf(event), event])).values()];
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    if (latest.length > 0) {
      const known = await knownItems(tx, plan.connectorId, latest.map(idOf));
      await insertItems(
        tx,
        plan,
        latest.flatMap((event) => toItem(plan, event, known) ?? []),
      );
      await rememberItems(
        tx,
        plan,
        latest.flatMap((event) => (event.type === 'item' ? [event.ref] : [])),
      );
    }
    if (checkpoint !== undefined) await keepCheckpoint(tx, plan, checkpoint);
  });
}
