import { Link, useLocation } from 'wouter';
import { type PageEntry, pageGroupsOf } from '#layout/pages.ts';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Icon } from '#ui/icon.tsx';

/** The navigation. Calls `onChoose` when a page is selected. */
export function Nav({ onChoose }: { readonly onChoose?: () => void }) {
  const [location] = useLocation();
  const groups = pageGroupsOf(useSession());
  const entry = ({ to, label, icon }: PageEntry) => (
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
  );
  return (
    <nav aria-label={t('layout.pagesTitle')} className="nav-groups">
      {groups.map(({ title, pages }) => (
        <div key={title ?? ''}>
          {title === undefined ? null : <p className="nav-title">{title}</p>}
          <ul className="nav" aria-label={title}>
            {pages.map(entry)}
          </ul>
        </div>
      ))}
    </nav>
  );
}
