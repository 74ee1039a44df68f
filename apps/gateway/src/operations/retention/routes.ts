import { retention as spec } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import { data } from '#http/api-response';
import { lockRights } from '#identity/credential';
import { type KeyedCall, route } from '#pipeline/operation';

/** Reads the settings of a team: the chat service has the one for conversations. */
async function readRetention({ db, clients }: Context, call: KeyedCall) {
  const { conversationDays } = await clients.chat.getRetention({}, onBehalfOf(call));
  const stored = await db.retention.findUnique({ where: { teamId: call.caller.teamId } });
  const { audit = null, events = null, usage = null } = stored ?? {};
  return { conversations: conversationDays ?? null, audit, events, usage };
}

export const retentionRoutes = [
  route(spec.getRetention, async (ctx, _input, call) => data(await readRetention(ctx, call))),

  route(spec.updateRetention, async (ctx, { body }, call) => {
    const { teamId } = call.caller;
    const before = await readRetention(ctx, call);
    const changes = Object.fromEntries(Object.entries(body).filter(([, days]) => days !== undefined));
    const { conversations, ...own } = changes;
    await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      await recordAudit(tx, actorOf(call), {
        action: 'updateRetention',
        resourceType: 'retention',
        resourceId: undefined,
        details: { before, changes },
      });
      await tx.retention.upsert({ where: { teamId }, create: { teamId, ...own }, update: own });
    });
    // After the check of the rights. If a service is unavailable, the caller repeats the request.
    if (changes.conversations !== undefined) {
      const days = conversations ?? undefined;
      await ctx.clients.runs.setRunRetention({ runDays: days }, onBehalfOf(call));
      await ctx.clients.chat.setRetention({ conversationDays: days }, onBehalfOf(call));
    }
    return data(await readRetention(ctx, call));
  }),
];
