import { Link, useLocation } from 'wouter';
import { Icon, type IconName } from '#ui/icon.tsx';

const ENTRIES: readonly { readonly to: string; readonly label: string; readonly icon: IconName }[] = [
  { to: '/search', label: 'Search', icon: 'search' },
  { to: '/chat', label: 'Chat', icon: 'chat' },
  { to: '/agents', label: 'Agents', icon: 'agent' },
  { to: '/collections', label: 'Collections', icon: 'collection' },
  { to: '/connectors', label: 'Connectors', icon: 'connector' },
  { to: '/synonyms', label: 'Synonyms', icon: 'synonym' },
  { to: '/keys', label: 'Keys', icon: 'key' },
  { to: '/usage', label: 'Usage', icon: 'usage' },
  { to: '/audit', label: 'Audit', icon: 'audit' },
];

/** The navigation. Calls `onChoose` when a page is selected. */
export function Nav({ onChoose }: { readonly onChoose?: () => void }) {
  const [location] = useLocation();
  return (
    <nav aria-label="Pages">
      <ul className="nav">
        {ENTRIES.map(({ to, label, icon }) => (
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
