import type { ListAgentsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { listPage } from '#agents/list-page';
import type { Context } from '#context';
import { toAgent } from '#handlers/to-agent';

const LIMIT = { default: 20, max: 100 };

/** The caller's agents, newest first. */
export const listAgents =
  ({ db }: Context) =>
  async (request: ListAgentsRequest, { caller }: ServiceCall) => {
    const { page: asked = 1, limit: wanted = 0 } = request.page ?? {};
    const page = Math.max(1, asked);
    const limit = wanted < 1 ? LIMIT.default : Math.min(wanted, LIMIT.max);
    const { agents, total } = await listPage(db, caller, { page, limit });
    return { agents: agents.map(toAgent), page: { page, limit, total, hasMore: page * limit < total } };
  };
