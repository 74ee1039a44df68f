import { RIGHT_NAMES, type Right } from '#session/rights.ts';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Empty } from '#ui/empty.tsx';

/**
 * Shows a person or a key why it cannot use a page. `action` completes “You cannot”; in German “Sie dürfen”, so there it
 * contains the negation.
 */
export function NoAccess({
  action,
  least,
  right,
}: {
  readonly action: string;
  readonly least: 'editor' | 'admin';
  readonly right: Right;
}) {
  const { person } = useSession();
  return (
    <Empty title={t(person === null ? 'session.cannot.key' : 'session.cannot.person', { action })}>
      <p>{person === null ? t('session.ask.key', { right: RIGHT_NAMES[right] }) : t(`session.ask.${least}`)}</p>
    </Empty>
  );
}
