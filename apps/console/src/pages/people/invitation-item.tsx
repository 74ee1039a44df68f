import { lectern } from '#api/lectern.ts';
import type { Invitation } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
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
          {role} · {isExpired ? 'expired' : 'expires'} {dateText(expiresAt)}
        </p>
        {again.error ? <ErrorNotice error={again.error} /> : null}
      </div>
      <div className="row">
        <Button isBusy={again.isPending} onClick={() => again.mutate()}>
          New link
        </Button>
        <Confirm
          label="Delete"
          question={`Delete the invitation of ${email}?`}
          done={`The invitation of ${email} is deleted.`}
          mutation={remove}
        >
          <p>Its link stops working.</p>
        </Confirm>
      </div>
    </li>
  );
}
