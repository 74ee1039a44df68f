import type { SetPermissionsRequest, SetPermissionsResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { setPermissions as set } from '#documents/set-permissions';

/** Replaces the principals with read access to documents of a connector. */
export const setPermissions =
  (context: Context) =>
  async ({ connectorId, items }: SetPermissionsRequest, call: ServiceCall): Promise<SetPermissionsResponse> => {
    const { teamId } = call.caller;
    return { documents: await set(context, { teamId, connectorId, items }, call.signal) };
  };
