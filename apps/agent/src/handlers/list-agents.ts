import type { ListAgentsRequest } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { listPage } from '#agents/list-page';
import type { Context } from '#context';
import { toAgent } from '#handlers/to-agent';

/** Lists the caller's agents, newest first. */
export const listAgents = (context: Context) => async (request: ListAgentsRequest, call: ServiceCall) => {
  const page = readPage(request.page);
  const { agents, total } = await listPage(context, call, page);
  return { agents: agents.map(toAgent), page: pageInfo(page, total) };
};
