import { type Client, createClient } from './client.ts';
import { createAgents } from './resources/agents.ts';
import { createAnalytics } from './resources/analytics.ts';
import { createBranding } from './resources/branding.ts';
import { createBudgets } from './resources/budgets.ts';
import { createChat } from './resources/chat.ts';
import { createCollections } from './resources/collections.ts';
import { createConnectors } from './resources/connectors.ts';
import { createConversations } from './resources/conversations.ts';
import { createDocuments } from './resources/documents.ts';
import { createFiles } from './resources/files.ts';
import { createItems } from './resources/items.ts';
import { createKeys } from './resources/keys.ts';
import { createModelEndpoints } from './resources/model-endpoints.ts';
import { createPeople } from './resources/people.ts';
import { createQuestions } from './resources/questions.ts';
import { createRetention } from './resources/retention.ts';
import { createRuns } from './resources/runs.ts';
import { createSearch } from './resources/search.ts';
import { createSearchModels } from './resources/search-models.ts';
import { createSearchRules } from './resources/search-rules.ts';
import { createSync } from './resources/sync.ts';
import { createSynonyms } from './resources/synonyms.ts';
import { createTestCases } from './resources/test-cases.ts';
import { createToolServers } from './resources/tool-servers.ts';
import { createUserTokens } from './resources/user-tokens.ts';
import { createWebhooks } from './resources/webhooks.ts';
import type { LecternOptions } from './transport.ts';

/** The client of the Lectern API. Methods throw `LecternError` or `LecternConnectionError`. */
export class Lectern {
  /** Calls any operation by its id. */
  readonly client: Client;
  readonly search: ReturnType<typeof createSearch>;
  readonly chat: ReturnType<typeof createChat>;
  readonly conversations: ReturnType<typeof createConversations>;
  readonly agents: ReturnType<typeof createAgents>;
  readonly runs: ReturnType<typeof createRuns>;
  readonly modelEndpoints: ReturnType<typeof createModelEndpoints>;
  readonly toolServers: ReturnType<typeof createToolServers>;
  readonly collections: ReturnType<typeof createCollections>;
  readonly searchModels: ReturnType<typeof createSearchModels>;
  readonly searchRules: ReturnType<typeof createSearchRules>;
  readonly synonyms: ReturnType<typeof createSynonyms>;
  readonly documents: ReturnType<typeof createDocuments>;
  readonly connectors: ReturnType<typeof createConnectors>;
  readonly sync: ReturnType<typeof createSync>;
  readonly files: ReturnType<typeof createFiles>;
  readonly items: ReturnType<typeof createItems>;
  readonly keys: ReturnType<typeof createKeys>;
  readonly userTokens: ReturnType<typeof createUserTokens>;
  readonly webhooks: ReturnType<typeof createWebhooks>;
  readonly people: ReturnType<typeof createPeople>;
  readonly analytics: ReturnType<typeof createAnalytics>;
  readonly questions: ReturnType<typeof createQuestions>;
  readonly testCases: ReturnType<typeof createTestCases>;
  readonly branding: ReturnType<typeof createBranding>;
  readonly budgets: ReturnType<typeof createBudgets>;
  readonly retention: ReturnType<typeof createRetention>;

  /** Without options, connects to `LECTERN_URL` with `LECTERN_KEY` of the environment. */
  constructor(options: LecternOptions = {}) {
    const client = createClient(options);
    this.client = client;
    this.search = createSearch(client);
    this.chat = createChat(client);
    this.conversations = createConversations(client);
    this.agents = createAgents(client);
    this.runs = createRuns(client);
    this.modelEndpoints = createModelEndpoints(client);
    this.toolServers = createToolServers(client);
    this.collections = createCollections(client);
    this.searchModels = createSearchModels(client);
    this.searchRules = createSearchRules(client);
    this.synonyms = createSynonyms(client);
    this.documents = createDocuments(client);
    this.connectors = createConnectors(client);
    this.sync = createSync(client);
    this.files = createFiles(client);
    this.items = createItems(client);
    this.keys = createKeys(client);
    this.userTokens = createUserTokens(client);
    this.webhooks = createWebhooks(client);
    this.people = createPeople(client);
    this.analytics = createAnalytics(client);
    this.questions = createQuestions(client);
    this.testCases = createTestCases(client);
    this.branding = createBranding(client);
    this.budgets = createBudgets(client);
    this.retention = createRetention(client);
  }
}
