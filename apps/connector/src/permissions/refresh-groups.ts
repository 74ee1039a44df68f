import type { Connector, SourceGroup } from '@lectern/connectors';
import { newSeed } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import { orAborted } from '../leases/hold-lease.ts';
import type { HeldPlan } from '../plan/claim-plan.ts';
import { isUnreadable } from '../plan/unreadable.ts';

/** Members in one request to the collection service. */
const MEMBERS = 5_000;

/**
 * Opens a reading of a connector's groups. It has no effect until it is complete, but the
 * collection service now knows that the groups are out of date. If no reading succeeds for long
 * enough, the groups lose all members.
 */
export async function openGroups(
  ctx: Context,
  { teamId, connectorId, jobId }: Pick<HeldPlan, 'teamId' | 'connectorId' | 'jobId'>,
  signal: AbortSignal,
): Promise<string> {
  // Each attempt is a separate reading: a group that this attempt does not see is gone, even if an
  // earlier one saw it.
  const generation = `${jobId}:${newSeed()}`;
  await ctx.index.replaceGroups(teamId, { connectorId, generation, groups: [], complete: false, part: 0 }, signal);
  return generation;
}

/**
 * Reads the source's groups and hands them to the collection service, where they count once the last has come. When the source says that they
 * cannot be read, nobody is in them; while it does not answer, they stay as they were, for as long as the collection service allows.
 */
export async function refreshGroups(
  ctx: Context,
  plan: HeldPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<void> {
  if (source.groups === undefined) return;
  const { teamId, connectorId } = plan;
  const generation = await openGroups(ctx, plan, signal);
  let sent = 0;
  let groups: SourceGroup[] = [];
  let members = 0;
  const send = async (complete: boolean) => {
    const part = groups.map(({ principal, members }) => ({ principal, members: [...members] }));
    sent += 1;
    const request = { connectorId, generation, groups: part, complete, part: sent };
    await ctx.index.replaceGroups(teamId, request, signal);
    groups = [];
    members = 0;
  };
  try {
    const answers = source.groups({ signal })[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await orAborted(answers.next(), signal);
      if (done === true) break;
      groups.push(value);
      members += value.members.length + 1;
      if (members >= MEMBERS) await send(false);
    }
  } catch (err) {
    if (!isUnreadable(err)) throw err;
    ctx.log.warn({ err, connectorId }, 'cannot read groups, removed all members');
    await ctx.index.dropGroups(teamId, { connectorId, deleted: false }, signal);
    return;
  }
  await send(true);
}
