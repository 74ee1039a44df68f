import { account } from '#texts/en/account.ts';
import { agents } from '#texts/en/agents.ts';
import { approvals } from '#texts/en/approvals.ts';
import { audit } from '#texts/en/audit.ts';
import { chat } from '#texts/en/chat.ts';
import { collections } from '#texts/en/collections.ts';
import { connect } from '#texts/en/connect.ts';
import { connectors } from '#texts/en/connectors.ts';
import { documents } from '#texts/en/documents.ts';
import { insights } from '#texts/en/insights.ts';
import { jobs } from '#texts/en/jobs.ts';
import { keys } from '#texts/en/keys.ts';
import { layout } from '#texts/en/layout.ts';
import { models } from '#texts/en/models.ts';
import { overview } from '#texts/en/overview.ts';
import { people } from '#texts/en/people.ts';
import { questions } from '#texts/en/questions.ts';
import { search } from '#texts/en/search.ts';
import { searchRules } from '#texts/en/search-rules.ts';
import { session } from '#texts/en/session.ts';
import { setUpGuides } from '#texts/en/set-up-guides.ts';
import { settings } from '#texts/en/settings.ts';
import { slack } from '#texts/en/slack.ts';
import { synonyms } from '#texts/en/synonyms.ts';
import { testCases } from '#texts/en/test-cases.ts';
import { tools } from '#texts/en/tools.ts';
import { ui } from '#texts/en/ui.ts';
import { usage } from '#texts/en/usage.ts';
import { webhooks } from '#texts/en/webhooks.ts';

/** The texts of the console, by page. */
export const ENGLISH = {
  account,
  agents,
  approvals,
  audit,
  chat,
  collections,
  connect,
  connectors,
  documents,
  insights,
  jobs,
  keys,
  layout,
  models,
  overview,
  people,
  questions,
  search,
  searchRules,
  session,
  setUpGuides,
  settings,
  slack,
  synonyms,
  testCases,
  tools,
  ui,
  usage,
  webhooks,
} as const;
