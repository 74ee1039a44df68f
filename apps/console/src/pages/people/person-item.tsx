import { lectern } from '#api/lectern.ts';
import type { Person, Role } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { RoleField } from '#pages/people/role-field.tsx';
import { useRole, useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const AFFECTED = ['people', 'own-key'];

/** A person with the actions that the user may take. */
export function PersonItem({
  person: { id, name, email, role, status, lastSignInAt },
  onLink,
  onSessions,
}: {
  readonly person: Person;
  readonly onLink: (created: { readonly url: string }) => void;
  readonly onSessions: () => void;
}) {
  const isSelf = useSession().person?.id === id;
  const isOwner = useRole('owner');
  const canManage = isOwner || role !== 'owner';
  const isActive = status === 'active';
  const changeRole = useChange((next: Role) => lectern().people.update(id, { role: next }), AFFECTED);
  const reset = useChange(() => lectern().people.resetPassword(id), [], onLink);
  const deactivate = useChange(() => lectern().people.update(id, { status: 'deactivated' }), AFFECTED);
  const activate = useChange(() => lectern().people.update(id, { status: 'active' }), AFFECTED);
  const error = changeRole.error ?? reset.error ?? activate.error;
  return (
    <li className="card stack">
      <div className="row row-apart">
        <div className="grow">
          <h2>
            {name} {isSelf ? <StatusBadge status="you" /> : null}
            {isActive ? null : <StatusBadge status="deactivated" />}
          </h2>
          <p className="muted small">
            <RichText
              name="people.accounts.emailAndTime"
              values={{ email }}
              elements={{ ago: <Ago time={lastSignInAt} /> }}
            />
          </p>
        </div>
        <RoleField value={role} onChange={changeRole.mutate} isDisabled={!canManage || changeRole.isPending} />
      </div>
      {error ? <ErrorNotice error={error} /> : null}
      {canManage ? (
        <div className="row row-end">
          <Button onClick={onSessions}>{t('people.sessions.title')}</Button>
          {isActive ? (
            <>
              <Button isBusy={reset.isPending} onClick={() => reset.mutate()}>
                {t('people.accounts.resetPassword')}
              </Button>
              <Confirm
                label={t('people.accounts.deactivate')}
                question={t('people.accounts.deactivateQuestion', { name })}
                done={t('people.accounts.deactivated', { name })}
                mutation={deactivate}
              >
                <p>
                  {isSelf ? t('people.accounts.deactivateSelfEffect') : t('people.accounts.deactivateEffect', { name })}
                </p>
              </Confirm>
            </>
          ) : (
            <Button isBusy={activate.isPending} onClick={() => activate.mutate()}>
              {t('people.accounts.activate')}
            </Button>
          )}
        </div>
      ) : null}
    </li>
  );
}
