import type { ReplaceGroupsRequest, ReplaceGroupsResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { replaceGroups as replace } from '#groups/replace-groups';

/** Stores the groups that a connector read from its source. */
export const replaceGroups =
  (context: Context) =>
  async (request: ReplaceGroupsRequest, { caller }: ServiceCall): Promise<ReplaceGroupsResponse> => {
    await replace(context, { ...request, teamId: caller.teamId });
    return {};
  };
