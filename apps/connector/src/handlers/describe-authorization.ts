import type { DescribeAuthorizationRequest, DescribeAuthorizationResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { findState } from '#oauth/state';

/** Returns what an authorization is for, without consuming its state. */
export const describeAuthorization =
  (ctx: Context) =>
  async (request: DescribeAuthorizationRequest, { caller }: ServiceCall): Promise<DescribeAuthorizationResponse> => {
    const { connectorId, browserHash } = await findState(ctx, { ...request, teamId: caller.teamId });
    const { name } = await ctx.db.connector.findUniqueOrThrow({ where: { id: connectorId }, select: { name: true } });
    return { connectorName: name, isBound: browserHash !== null };
  };
