import { Link, useLocation } from 'wouter';
import type { Role } from '#api/types.ts';
import { ROLES, useSession } from '#session/session.ts';
import { Icon, type IconName } from '#ui/icon.tsx';

const ENTRIES: readonly {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The least role that the page is for. */
  readonly role: Role;
}[] = [
  { to: '/ask', label: 'Ask', icon: 'ask', role: 'member' },
  { to: '/search', label: 'Search', icon: 'search', role: 'member' },
  { to: '/chat', label: 'Chat', icon: 'chat', role: 'editor' },
  { to: '/agents', label: 'Agents', icon: 'agent', role: 'member' },
  { to: '/tools', label: 'Tools', icon: 'tool', role: 'editor' },
  { to: '/collections', label: 'Collections', icon: 'collection', role: 'editor' },
  { to: '/connectors', label: 'Connectors', icon: 'connector', role: 'editor' },
  { to: '/search-rules', label: 'Search rules', icon: 'pin', role: 'editor' },
  { to: '/synonyms', label: 'Synonyms', icon: 'synonym', role: 'editor' },
  { to: '/test-cases', label: 'Test cases', icon: 'test', role: 'editor' },
  { to: '/questions', label: 'Questions', icon: 'question', role: 'admin' },
  { to: '/search-insights', label: 'Search insights', icon: 'insights', role: 'admin' },
  { to: '/models', label: 'Models', icon: 'model', role: 'admin' },
  { to: '/people', label: 'People', icon: 'people', role: 'admin' },
  { to: '/slack', label: 'Slack', icon: 'slack', role: 'admin' },
  { to: '/keys', label: 'Keys', icon: 'key', role: 'admin' },
  { to: '/webhooks', label: 'Webhooks', icon: 'webhook', role: 'admin' },
  { to: '/usage', label: 'Usage', icon: 'usage', role: 'admin' },
  { to: '/audit', label: 'Audit', icon: 'audit', role: 'admin' },
  { to: '/settings', label: 'Settings', icon: 'settings', role: 'admin' },
];

/** The navigation. Calls `onChoose` when a page is selected. */
export function Nav({ onChoose }: { readonly onChoose?: () => void }) {
  const [location] = useLocation();
  const { person } = useSession();
  // A key with a limited scope shows why a page is empty. People see only the pages of their role.
  const entries = ENTRIES.filter(
    ({ role }) => person === null || ROLES.indexOf(person.effectiveRole) >= ROLES.indexOf(role),
  );
  return (
    <nav aria-label="Pages">
      <ul className="nav">
        {entries.map(({ to, label, icon }) => (
          <li key={to}>
            <Link
              href={to}
              onClick={() => onChoose?.()}
              aria-current={location === to || location.startsWith(`${to}/`) ? 'page' : undefined}
            >
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
