import { lectern } from '#api/lectern.ts';
import type { Invitation } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateText } from '#ui/time-text.ts';

/** An invitation that was not accepted yet. */
export function InvitationItem({
  invitation: { id, email, role, expiresAt },
  onLink,
}: {
  readonly invitation: Invitation;
  readonly onLink: (created: { readonly url: string }) => void;
}) {
  const again = useChange(() => lectern().people.invite({ email, role }), ['invitations'], onLink);
  const remove = useChange(() => lectern().people.deleteInvitation(id), ['invitations']);
  const isExpired = Date.parse(expiresAt) < Date.now();
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h3>
          {email} {isExpired ? <StatusBadge status="expired" /> : null}
        </h3>
        <p className="muted small">
          {t(`account.roles.${role}`)} ·{' '}
          {t(isExpired ? 'people.invitations.expired' : 'people.invitations.expires', { day: dateText(expiresAt) })}
        </p>
        {again.error ? <ErrorNotice error={again.error} /> : null}
      </div>
      <div className="row">
        <Button isBusy={again.isPending} onClick={() => again.mutate()}>
          {t('people.invitations.newLink')}
        </Button>
        <Confirm
          label={t('people.invitations.delete')}
          question={t('people.invitations.deleteQuestion', { email })}
          done={t('people.invitations.deleted', { email })}
          mutation={remove}
        >
          <p>{t('people.invitations.deleteEffect')}</p>
        </Confirm>
      </div>
    </li>
  );
}
