import type { ListGroupConnectorsRequest } from '@lectern/contracts';
import { AppError, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';

const PAGE = 500;

/** Lists the connectors with stored groups, so that the sweep can find deleted ones. */
export const listGroupConnectors =
  ({ db }: Context) =>
  async ({ after }: ListGroupConnectorsRequest, { caller }: ServiceCall) => {
    if (caller.keyId !== undefined || caller.userEmail !== undefined) {
      throw new AppError(
        'forbidden',
        'The connectors of all teams are available only to internal services. Call this method as the system caller.',
      );
    }
    const connectors = await db.$queryRaw<{ connectorId: string; teamId: string }[]>`
      SELECT connector_id AS "connectorId", min(team_id) AS "teamId" FROM groups
      WHERE connector_id > ${after} GROUP BY connector_id ORDER BY connector_id LIMIT ${PAGE}::int`;
    return { connectors };
  };
