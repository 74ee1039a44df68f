import { type Connector, SourceError, type SourceGroup } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { orAborted } from '../leases/hold-lease.ts';
import type { HeldPlan } from '../plan/claim-plan.ts';

/** Members in one request to the collection service. */
const MEMBERS = 5_000;

/**
 * Reads the source's groups and hands them to the collection service under the job's id: only when the last has come do those go that are
 * not there any more. Groups that cannot be read stay as they were.
 */
export async function refreshGroups(
  ctx: Context,
  { teamId, connectorId, jobId: generation }: HeldPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<void> {
  if (source.groups === undefined) return;
  let groups: SourceGroup[] = [];
  let members = 0;
  const send = async (complete: boolean) => {
    const part = groups.map(({ principal, members }) => ({ principal, members: [...members] }));
    await ctx.index.replaceGroups(teamId, { connectorId, generation, groups: part, complete }, signal);
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
    if (!(err instanceof SourceError) || err.retryable || err.kind === 'auth') throw err;
    ctx.log.warn({ err, connectorId }, 'groups cannot be read, they stay as they were');
    return;
  }
  await send(true);
}
