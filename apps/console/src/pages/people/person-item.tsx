import { lectern } from '#api/lectern.ts';
import type { Person, Role } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { RoleField } from '#pages/people/role-field.tsx';
import { useRole, useSession } from '#session/session.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
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
            {email} · signed in <Ago time={lastSignInAt} />
          </p>
        </div>
        <RoleField value={role} onChange={changeRole.mutate} isDisabled={!canManage || changeRole.isPending} />
      </div>
      {error ? <ErrorNotice error={error} /> : null}
      {canManage ? (
        <div className="row row-end">
          <Button onClick={onSessions}>Sessions</Button>
          {isActive ? (
            <>
              <Button isBusy={reset.isPending} onClick={() => reset.mutate()}>
                Reset password
              </Button>
              <Confirm
                label="Deactivate"
                question={`Deactivate ${name}?`}
                done={`${name} is deactivated.`}
                mutation={deactivate}
              >
                <p>
                  {isSelf ? 'You are' : `${name} is`} signed out everywhere within seconds and cannot sign in. What the
                  account created stays.
                </p>
              </Confirm>
            </>
          ) : (
            <Button isBusy={activate.isPending} onClick={() => activate.mutate()}>
              Activate
            </Button>
          )}
        </div>
      ) : null}
    </li>
  );
}
