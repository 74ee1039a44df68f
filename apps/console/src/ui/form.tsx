import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { showToast } from '#ui/toasts.tsx';

/** A form with a submit button and the error of the last attempt. */
export function Form({
  mutation,
  label,
  isIncomplete = false,
  done,
  isCard = false,
  actions,
  children,
}: {
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutateAsync' | 'error' | 'isPending'>;
  /** The label of the submit button. */
  readonly label: string;
  readonly isIncomplete?: boolean;
  /** What is true after the action. Omitted if the page shows it anyway. */
  readonly done?: string | undefined;
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
        // React also sends the event to the form that opened a dialog with this one.
        event.stopPropagation();
        // The form shows `mutation.error`. It can be gone when the mutation ends.
        void mutation.mutateAsync().then(
          () => {
            if (done !== undefined) showToast(done);
          },
          () => undefined,
        );
      }}
    >
      {children}
      {mutation.error ? <ErrorNotice error={mutation.error} /> : null}
      <div className="row row-end">
        {actions}
        <Button type="submit" isPrimary isBusy={mutation.isPending} disabled={isIncomplete}>
          {label}
        </Button>
      </div>
    </form>
  );
}
