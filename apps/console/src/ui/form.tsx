import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

/** Fields and what sends them: the error of the last attempt stands above the button, and that it was saved where nothing else shows it. */
export function Form({
  work,
  label,
  isIncomplete = false,
  saysSaved = false,
  isCard = false,
  actions,
  children,
}: {
  readonly work: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'error' | 'isPending' | 'isSuccess'>;
  /** Of the button that sends it. */
  readonly label: string;
  readonly isIncomplete?: boolean;
  readonly saysSaved?: boolean;
  readonly isCard?: boolean;
  /** Further buttons, before the one that sends. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <form
      className={isCard ? 'card stack' : 'stack'}
      onSubmit={(event) => {
        event.preventDefault();
        work.mutate();
      }}
    >
      {children}
      {work.error ? <ErrorNotice error={work.error} /> : null}
      {saysSaved && work.isSuccess ? (
        <p className="notice notice-good" role="status">
          Saved.
        </p>
      ) : null}
      <div className="row row-end">
        {actions}
        <Button type="submit" isPrimary isBusy={work.isPending} disabled={isIncomplete}>
          {label}
        </Button>
      </div>
    </form>
  );
}
