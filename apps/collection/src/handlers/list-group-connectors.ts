import type { ListGroupConnectorsRequest } from '@lectern/contracts';
import { AppError, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';

const PAGE = 500;

/** The connectors that groups are stored of, for the sweep of those that are deleted. */
export const listGroupConnectors =
  ({ db }: Context) =>
  async ({ after }: ListGroupConnectorsRequest, { caller }: ServiceCall) => {
    if (caller.keyId !== undefined || caller.userEmail !== undefined) {
      throw new AppError('forbidden', 'Only services may list the connectors of all teams.');
    }
    const connectors = await db.$queryRaw<{ connectorId: string; teamId: string }[]>`
      SELECT connector_id AS "connectorId", min(team_id) AS "teamId" FROM groups
      WHERE connector_id > ${after} GROUP BY connector_id ORDER BY connector_id LIMIT ${PAGE}::int`;
    return { connectors };
  };
