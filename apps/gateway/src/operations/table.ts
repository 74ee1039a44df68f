import { operations as specs } from '@lectern/api-spec';
import { accountRoutes } from '#operations/account/routes';
import { agentRoutes } from '#operations/agents/routes';
import { analyticsRoutes } from '#operations/analytics/routes';
import { apiKeyRoutes } from '#operations/api-keys/routes';
import { appRoutes } from '#operations/apps/routes';
import { brandingRoutes } from '#operations/branding/routes';
import { budgetRoutes } from '#operations/budgets/routes';
import { chatRoutes } from '#operations/chat/routes';
import { collectionRoutes } from '#operations/collections/routes';
import { connectorRoutes } from '#operations/connectors/routes';
import { documentRoutes } from '#operations/documents/routes';
import { fileRoutes } from '#operations/files/routes';
import { groupRoutes } from '#operations/groups/routes';
import { healthRoutes } from '#operations/health/routes';
import { identityProviderRoutes } from '#operations/identity-providers/routes';
import { itemRoutes } from '#operations/items/routes';
import { memoryRoutes } from '#operations/memories/routes';
import { modelEndpointRoutes } from '#operations/model-endpoints/routes';
import { oauthRoutes } from '#operations/oauth/routes';
import { peopleRoutes } from '#operations/people/routes';
import { questionRoutes } from '#operations/questions/routes';
import { retentionRoutes } from '#operations/retention/routes';
import { runRoutes } from '#operations/runs/routes';
import { scheduleRoutes } from '#operations/schedules/routes';
import { scimTokenRoutes } from '#operations/scim-tokens/routes';
import { searchRoutes } from '#operations/search/routes';
import { searchAnalyticsRoutes } from '#operations/search-analytics/routes';
import { searchModelRoutes } from '#operations/search-models/routes';
import { searchRuleRoutes } from '#operations/search-rules/routes';
import { sessionRoutes } from '#operations/sessions/routes';
import { slackAppRoutes } from '#operations/slack-apps/routes';
import { syncRoutes } from '#operations/sync/routes';
import { synonymRoutes } from '#operations/synonyms/routes';
import { testCaseRoutes } from '#operations/test-cases/routes';
import { toolServerRoutes } from '#operations/tool-servers/routes';
import { userTokenRoutes } from '#operations/user-tokens/routes';
import { webhookRoutes } from '#operations/webhooks/routes';
import type { Operation } from '#pipeline/operation';

const routes: ReadonlyMap<string, Operation> = new Map(
  [
    ...accountRoutes,
    ...appRoutes,
    ...agentRoutes,
    ...analyticsRoutes,
    ...apiKeyRoutes,
    ...brandingRoutes,
    ...budgetRoutes,
    ...chatRoutes,
    ...collectionRoutes,
    ...connectorRoutes,
    ...documentRoutes,
    ...fileRoutes,
    ...itemRoutes,
    ...groupRoutes,
    ...healthRoutes,
    ...identityProviderRoutes,
    ...memoryRoutes,
    ...oauthRoutes,
    ...peopleRoutes,
    ...questionRoutes,
    ...retentionRoutes,
    ...runRoutes,
    ...scheduleRoutes,
    ...searchAnalyticsRoutes,
    ...scimTokenRoutes,
    ...searchModelRoutes,
    ...searchRoutes,
    ...sessionRoutes,
    ...slackAppRoutes,
    ...syncRoutes,
    ...searchRuleRoutes,
    ...synonymRoutes,
    ...userTokenRoutes,
    ...webhookRoutes,
    ...testCaseRoutes,
    ...modelEndpointRoutes,
    ...toolServerRoutes,
  ].map((operation) => [operation.id, operation]),
);

/** All operations with their implementations, in the order of the specification. */
export const operations: readonly Operation[] = specs.map(({ id }) => {
  const operation = routes.get(id);
  if (operation === undefined) throw new TypeError(`${id} has no implementation`);
  return operation;
});
