import type { RunRetention } from '@lectern/contracts';
import { requireFullScope, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { writeRetention } from '#runs/retention';

/** Changes how long the runs of the caller's team are kept. */
export const setRunRetention =
  ({ db }: Context) =>
  async ({ runDays }: RunRetention, { caller }: ServiceCall): Promise<RunRetention> => {
    requireFullScope(caller, 'change how long data is kept');
    await writeRetention(db, caller.teamId, runDays);
    return { runDays };
  };
