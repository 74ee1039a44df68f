import type { OwnKey, Role } from '#api/types.ts';
import { hasRole } from '#session/session.ts';
import type { IconName } from '#ui/icon.tsx';

/** A page of the console. */
export interface PageEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The least role that the page is for. */
  readonly role: Role;
  /** Other words for the page, for the command menu. */
  readonly words?: readonly string[];
}

interface PageGroup {
  /** Omitted for the pages of daily use. */
  readonly title?: string;
  readonly pages: readonly PageEntry[];
}

const GROUPS: readonly PageGroup[] = [
  {
    pages: [
      { to: '/overview', label: 'Overview', icon: 'overview', role: 'editor', words: ['home', 'set-up', 'start'] },
      { to: '/ask', label: 'Ask', icon: 'ask', role: 'member', words: ['question', 'answer'] },
      { to: '/search', label: 'Search', icon: 'search', role: 'member', words: ['find'] },
      { to: '/chat', label: 'Chat', icon: 'chat', role: 'editor', words: ['conversation'] },
      { to: '/agents', label: 'Agents', icon: 'agent', role: 'member', words: ['assistants', 'schedules'] },
    ],
  },
  {
    title: 'Knowledge',
    pages: [
      { to: '/collections', label: 'Collections', icon: 'collection', role: 'editor', words: ['documents', 'upload'] },
      { to: '/connectors', label: 'Connectors', icon: 'connector', role: 'editor', words: ['sources', 'sync'] },
      { to: '/search-rules', label: 'Search rules', icon: 'pin', role: 'editor', words: ['pin', 'hide'] },
      { to: '/synonyms', label: 'Synonyms', icon: 'synonym', role: 'editor', words: ['words'] },
      { to: '/models', label: 'Models', icon: 'model', role: 'admin', words: ['embeddings'] },
    ],
  },
  {
    title: 'Quality',
    pages: [
      { to: '/questions', label: 'Questions', icon: 'question', role: 'admin', words: ['unanswered', 'feedback'] },
      { to: '/test-cases', label: 'Test cases', icon: 'test', role: 'editor', words: ['evaluation'] },
      { to: '/search-insights', label: 'Search insights', icon: 'insights', role: 'admin', words: ['analytics'] },
      { to: '/usage', label: 'Usage', icon: 'usage', role: 'admin', words: ['tokens', 'latency', 'statistics'] },
    ],
  },
  {
    title: 'Team',
    pages: [
      { to: '/people', label: 'People', icon: 'people', role: 'admin', words: ['invite', 'roles', 'groups', 'SCIM'] },
      { to: '/keys', label: 'Keys', icon: 'key', role: 'admin', words: ['API keys'] },
      { to: '/tools', label: 'Tools', icon: 'tool', role: 'editor', words: ['MCP', 'OpenAPI'] },
      { to: '/slack', label: 'Slack', icon: 'slack', role: 'admin' },
      { to: '/webhooks', label: 'Webhooks', icon: 'webhook', role: 'admin', words: ['events'] },
      { to: '/audit', label: 'Audit', icon: 'audit', role: 'admin', words: ['log', 'history'] },
      {
        to: '/settings',
        label: 'Settings',
        icon: 'settings',
        role: 'admin',
        words: ['budgets', 'prices', 'branding', 'retention'],
      },
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
