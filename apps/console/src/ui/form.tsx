import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

/** A form with a submit button and the error of the last attempt. */
export function Form({
  mutation,
  label,
  isIncomplete = false,
  showsSaved = false,
  isCard = false,
  actions,
  children,
}: {
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'error' | 'isPending' | 'isSuccess'>;
  /** The label of the submit button. */
  readonly label: string;
  readonly isIncomplete?: boolean;
  readonly showsSaved?: boolean;
  readonly isCard?: boolean;
  /** Additional buttons before the submit button. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <form
      className={isCard ? 'card stack' : 'stack'}
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      {children}
      {mutation.error ? <ErrorNotice error={mutation.error} /> : null}
      {showsSaved && mutation.isSuccess ? (
        <p className="notice notice-good" role="status">
          Saved.
        </p>
      ) : null}
      <div className="row row-end">
        {actions}
        <Button type="submit" isPrimary isBusy={mutation.isPending} disabled={isIncomplete}>
          {label}
        </Button>
      </div>
    </form>
  );
}
