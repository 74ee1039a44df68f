import type { Person } from '#api/types.ts';
import { Button } from '#ui/button.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** A person with a button. */
export function PersonRow({
  person: { name, email, status },
  action,
  isBusy,
  onAction,
}: {
  readonly person: Person;
  /** The label of the button; undefined for none. */
  readonly action: string | undefined;
  readonly isBusy: boolean;
  readonly onAction: () => void;
}) {
  return (
    <li className="card row row-apart">
      <div className="grow">
        <strong>{name}</strong> {status === 'active' ? null : <StatusBadge status="deactivated" />}
        <p className="muted small">{email}</p>
      </div>
      {action === undefined ? null : (
        <Button isBusy={isBusy} onClick={onAction}>
          {action}
          <span className="visually-hidden"> {name}</span>
        </Button>
      )}
    </li>
  );
}
