import type { DropGroupsRequest, DropGroupsResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { dropGroups as drop } from '#groups/drop-groups';

/** Removes members that a connector can no longer read. */
export const dropGroups =
  (context: Context) =>
  async ({ connectorId, deleted }: DropGroupsRequest, { caller }: ServiceCall): Promise<DropGroupsResponse> => {
    await drop(context, { teamId: caller.teamId, connectorId, deleted });
    return {};
  };
