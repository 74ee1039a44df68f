import type { OwnKey, Role } from '#api/types.ts';
import { hasRole } from '#session/session.ts';
import type { layout } from '#texts/en/layout.ts';
import { t } from '#texts/texts.ts';
import type { IconName } from '#ui/icon.tsx';

/** A page of the console. */
export interface PageEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The least role that the page is for. */
  readonly role: Role;
  /** Other words for the page, for the command menu. */
  readonly words: readonly string[];
}

interface PageGroup {
  /** Omitted for the pages of daily use. */
  readonly title?: string;
  readonly pages: readonly PageEntry[];
}

const page = (to: string, name: keyof typeof layout.pages, icon: IconName, role: Role): PageEntry => ({
  to,
  label: t(`layout.pages.${name}.label`),
  icon,
  role,
  words: t(`layout.pages.${name}.words`).split(' '),
});

const GROUPS: readonly PageGroup[] = [
  {
    pages: [
      page('/overview', 'overview', 'overview', 'editor'),
      page('/ask', 'ask', 'ask', 'member'),
      page('/search', 'search', 'search', 'member'),
      page('/chat', 'chat', 'chat', 'editor'),
      page('/agents', 'agents', 'agent', 'member'),
    ],
  },
  {
    title: t('layout.groups.knowledge'),
    pages: [
      page('/collections', 'collections', 'collection', 'editor'),
      page('/connectors', 'connectors', 'connector', 'editor'),
      page('/search-rules', 'searchRules', 'pin', 'editor'),
      page('/synonyms', 'synonyms', 'synonym', 'editor'),
      page('/models', 'models', 'model', 'admin'),
    ],
  },
  {
    title: t('layout.groups.quality'),
    pages: [
      page('/questions', 'questions', 'question', 'admin'),
      page('/test-cases', 'testCases', 'test', 'editor'),
      page('/search-insights', 'insights', 'insights', 'admin'),
      page('/usage', 'usage', 'usage', 'admin'),
    ],
  },
  {
    title: t('layout.groups.team'),
    pages: [
      page('/people', 'people', 'people', 'admin'),
      page('/keys', 'keys', 'key', 'admin'),
      page('/tools', 'tools', 'tool', 'editor'),
      page('/slack', 'slack', 'slack', 'admin'),
      page('/webhooks', 'webhooks', 'webhook', 'admin'),
      page('/audit', 'audit', 'audit', 'admin'),
      page('/settings', 'settings', 'settings', 'admin'),
    ],
  },
];

/** The pages for a person, by groups. A key sees all pages: with a limited scope, a page explains why it is empty. */
export function pageGroupsOf({ person }: OwnKey): readonly PageGroup[] {
  const groups = GROUPS.map(({ pages, ...group }) => ({
    ...group,
    pages: pages.filter(({ role }) => person === null || hasRole(person.effectiveRole, role)),
  }));
  return groups.filter(({ pages }) => pages.length > 0);
}
