import { operations as specs } from '@lectern/api-spec';
import { agentRoutes } from '#operations/agents/routes';
import { analyticsRoutes } from '#operations/analytics/routes';
import { apiKeyRoutes } from '#operations/api-keys/routes';
import { chatRoutes } from '#operations/chat/routes';
import { collectionRoutes } from '#operations/collections/routes';
import { connectorRoutes } from '#operations/connectors/routes';
import { documentRoutes } from '#operations/documents/routes';
import { fileRoutes } from '#operations/files/routes';
import { groupRoutes } from '#operations/groups/routes';
import { healthRoutes } from '#operations/health/routes';
import { memoryRoutes } from '#operations/memories/routes';
import { oauthRoutes } from '#operations/oauth/routes';
import { peopleRoutes } from '#operations/people/routes';
import { runRoutes } from '#operations/runs/routes';
import { scimTokenRoutes } from '#operations/scim-tokens/routes';
import { searchRoutes } from '#operations/search/routes';
import { searchModelRoutes } from '#operations/search-models/routes';
import { sessionRoutes } from '#operations/sessions/routes';
import { syncRoutes } from '#operations/sync/routes';
import { synonymRoutes } from '#operations/synonyms/routes';
import type { Operation } from '#pipeline/operation';

const routes: ReadonlyMap<string, Operation> = new Map(
  [
    ...agentRoutes,
    ...analyticsRoutes,
    ...apiKeyRoutes,
    ...chatRoutes,
    ...collectionRoutes,
    ...connectorRoutes,
    ...documentRoutes,
    ...fileRoutes,
    ...groupRoutes,
    ...healthRoutes,
    ...memoryRoutes,
    ...oauthRoutes,
    ...peopleRoutes,
    ...runRoutes,
    ...scimTokenRoutes,
    ...searchModelRoutes,
    ...searchRoutes,
    ...sessionRoutes,
    ...syncRoutes,
    ...synonymRoutes,
  ].map((operation) => [operation.id, operation]),
);

/** All operations with their implementations, in the order of the specification. */
export const operations: readonly Operation[] = specs.map(({ id }) => {
  const operation = routes.get(id);
  if (operation === undefined) throw new TypeError(`${id} has no implementation`);
  return operation;
});
