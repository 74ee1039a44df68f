import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { createQueryClient } from '#api/query-client.ts';
import { Shell } from '#layout/shell.tsx';
import { RequireSignIn } from '#session/require-sign-in.tsx';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { Loading } from '#ui/loading.tsx';
import { NotFound } from '#ui/not-found.tsx';

const queryClient = createQueryClient();

// Each page is a separate chunk, loaded when it is opened.
const OverviewPage = lazy(() => import('#pages/overview/overview-page.tsx'));
const AskPage = lazy(() => import('#pages/ask/ask-page.tsx'));
const SearchPage = lazy(() => import('#pages/search/search-page.tsx'));
const ChatPage = lazy(() => import('#pages/chat/chat-page.tsx'));
const AgentsPage = lazy(() => import('#pages/agents/agents-page.tsx'));
const NewAgentPage = lazy(() => import('#pages/agents/new-agent-page.tsx'));
const AgentPage = lazy(() => import('#pages/agents/agent-page.tsx'));
const ToolServersPage = lazy(() => import('#pages/tools/tool-servers-page.tsx'));
const CollectionsPage = lazy(() => import('#pages/collections/collections-page.tsx'));
const CollectionPage = lazy(() => import('#pages/collections/collection-page.tsx'));
const ConnectorsPage = lazy(() => import('#pages/connectors/connectors-page.tsx'));
const NewConnectorPage = lazy(() => import('#pages/connectors/new-connector-page.tsx'));
const ConnectorPage = lazy(() => import('#pages/connectors/connector-page.tsx'));
const SearchRulesPage = lazy(() => import('#pages/search-rules/search-rules-page.tsx'));
const SynonymsPage = lazy(() => import('#pages/synonyms/synonyms-page.tsx'));
const ModelsPage = lazy(() => import('#pages/models/models-page.tsx'));
const AccountPage = lazy(() => import('#pages/account/account-page.tsx'));
const InsightsPage = lazy(() => import('#pages/insights/insights-page.tsx'));
const QuestionsPage = lazy(() => import('#pages/questions/questions-page.tsx'));
const TestCasesPage = lazy(() => import('#pages/test-cases/test-cases-page.tsx'));
const PeoplePage = lazy(() => import('#pages/people/people-page.tsx'));
const SlackPage = lazy(() => import('#pages/slack/slack-page.tsx'));
const ConnectPage = lazy(() => import('#pages/connect/connect-page.tsx'));
const JoinPage = lazy(() => import('#session/join-page.tsx'));
const KeysPage = lazy(() => import('#pages/keys/keys-page.tsx'));
const WebhooksPage = lazy(() => import('#pages/webhooks/webhooks-page.tsx'));
const UsagePage = lazy(() => import('#pages/usage/usage-page.tsx'));
const SettingsPage = lazy(() => import('#pages/settings/settings-page.tsx'));
const AuditPage = lazy(() => import('#pages/audit/audit-page.tsx'));

function Pages() {
  const canManage = useRole('editor');
  return (
    <Switch>
      <Route path="/">
        <Redirect to={canManage ? '/overview' : '/ask'} replace />
      </Route>
      <Route path="/overview" component={OverviewPage} />
      <Route path="/ask/:id?">{({ id }) => <AskPage conversationId={id} />}</Route>
      <Route path="/search" component={SearchPage} />
      <Route path="/chat/:id?">{({ id }) => <ChatPage conversationId={id} />}</Route>
      <Route path="/agents" component={AgentsPage} />
      <Route path="/agents/new" component={NewAgentPage} />
      <Route path="/agents/:id">{({ id }) => <AgentPage key={id} id={id} />}</Route>
      <Route path="/tools" component={ToolServersPage} />
      <Route path="/collections" component={CollectionsPage} />
      <Route path="/collections/:id">{({ id }) => <CollectionPage key={id} id={id} />}</Route>
      <Route path="/connectors" component={ConnectorsPage} />
      <Route path="/connectors/new" component={NewConnectorPage} />
      <Route path="/connectors/:id">{({ id }) => <ConnectorPage key={id} id={id} />}</Route>
      <Route path="/search-rules" component={SearchRulesPage} />
      <Route path="/synonyms" component={SynonymsPage} />
      <Route path="/models" component={ModelsPage} />
      <Route path="/account" component={AccountPage} />
      <Route path="/test-cases" component={TestCasesPage} />
      <Route path="/questions" component={QuestionsPage} />
      <Route path="/search-insights" component={InsightsPage} />
      <Route path="/people" component={PeoplePage} />
      <Route path="/slack" component={SlackPage} />
      <Route path="/keys" component={KeysPage} />
      <Route path="/webhooks" component={WebhooksPage} />
      <Route path="/usage" component={UsagePage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/audit" component={AuditPage} />
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

/** Shows the error of a page until another one is opened. */
function PageBoundary({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  return <ErrorBoundary key={location.split('/')[1]}>{children}</ErrorBoundary>;
}

/** The console: session, layout and routes. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router base="/console">
        <Switch>
          <Route path="/join">
            <Suspense fallback={<Loading what={t('ui.what.page')} />}>
              <JoinPage />
            </Suspense>
          </Route>
          <Route path="/connect">
            <RequireSignIn>
              <ErrorBoundary>
                <Suspense fallback={<Loading what={t('ui.what.page')} />}>
                  <ConnectPage />
                </Suspense>
              </ErrorBoundary>
            </RequireSignIn>
          </Route>
          <Route>
            <RequireSignIn>
              <Shell>
                <PageBoundary>
                  <Suspense fallback={<Loading what={t('ui.what.page')} />}>
                    <Pages />
                  </Suspense>
                </PageBoundary>
              </Shell>
            </RequireSignIn>
          </Route>
        </Switch>
      </Router>
    </QueryClientProvider>
  );
}
