import { account } from '#texts/de/account.ts';
import { agents } from '#texts/de/agents.ts';
import { approvals } from '#texts/de/approvals.ts';
import { audit } from '#texts/de/audit.ts';
import { chat } from '#texts/de/chat.ts';
import { collections } from '#texts/de/collections.ts';
import { connect } from '#texts/de/connect.ts';
import { connectors } from '#texts/de/connectors.ts';
import { documents } from '#texts/de/documents.ts';
import { insights } from '#texts/de/insights.ts';
import { jobs } from '#texts/de/jobs.ts';
import { keys } from '#texts/de/keys.ts';
import { layout } from '#texts/de/layout.ts';
import { models } from '#texts/de/models.ts';
import { overview } from '#texts/de/overview.ts';
import { people } from '#texts/de/people.ts';
import { questions } from '#texts/de/questions.ts';
import { search } from '#texts/de/search.ts';
import { searchRules } from '#texts/de/search-rules.ts';
import { session } from '#texts/de/session.ts';
import { setUpGuides } from '#texts/de/set-up-guides.ts';
import { settings } from '#texts/de/settings.ts';
import { slack } from '#texts/de/slack.ts';
import { synonyms } from '#texts/de/synonyms.ts';
import { testCases } from '#texts/de/test-cases.ts';
import { tools } from '#texts/de/tools.ts';
import { ui } from '#texts/de/ui.ts';
import { usage } from '#texts/de/usage.ts';
import { webhooks } from '#texts/de/webhooks.ts';
import type { ENGLISH } from '#texts/en/index.ts';
import type { Translated } from '#texts/translated.ts';

/** The German texts, with the keys and variables of the English ones. */
export const GERMAN: Translated<typeof ENGLISH> = {
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
};
