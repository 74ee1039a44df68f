import type { GetRetentionRequest, Retention } from '@lectern/contracts';
import { requireFullScope, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readRetention, writeRetention } from '#conversations/retention';

const CHANGE = 'change how long data is kept';

/** Returns how long the conversations of the caller's team are kept. */
export const getRetention =
  ({ db }: Context) =>
  async (_request: GetRetentionRequest, { caller }: ServiceCall): Promise<Retention> => {
    requireFullScope(caller, CHANGE);
    return { conversationDays: await readRetention(db, caller.teamId) };
  };

/** Changes how long the conversations of the caller's team are kept. */
export const setRetention =
  ({ db }: Context) =>
  async ({ conversationDays }: Retention, { caller }: ServiceCall): Promise<Retention> => {
    requireFullScope(caller, CHANGE);
    await writeRetention(db, caller.teamId, conversationDays);
    return { conversationDays };
  };
