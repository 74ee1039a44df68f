import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { showToast } from '#ui/toasts.tsx';

/** A button that opens a confirmation dialog before an irreversible action. */
export function Confirm({
  label,
  question,
  done,
  mutation,
  children,
}: {
  readonly label: string;
  readonly question: string;
  /** What is true after the action. Omitted if the page shows it anyway. */
  readonly done?: string;
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutateAsync' | 'error' | 'isPending' | 'reset'>;
  readonly children?: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  function changeOpen(willBeOpen: boolean) {
    if (willBeOpen) mutation.reset();
    setIsOpen(willBeOpen);
  }
  async function run() {
    // The dialog shows `mutation.error`.
    await mutation.mutateAsync().then(
      () => {
        setIsOpen(false);
        if (done !== undefined) showToast(done);
      },
      () => undefined,
    );
  }
  return (
    <>
      <Button isDanger onClick={() => changeOpen(true)}>
        {label}
      </Button>
      <Sheet title={question} side="middle" isOpen={isOpen} onOpenChange={changeOpen}>
        <div className="stack">
          {children}
          {mutation.error ? <ErrorNotice error={mutation.error} /> : null}
          <div className="row row-end">
            <Button onClick={() => changeOpen(false)}>{t('ui.cancel')}</Button>
            <Button isDanger isBusy={mutation.isPending} onClick={() => void run()}>
              {label}
            </Button>
          </div>
        </div>
      </Sheet>
    </>
  );
}
