import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** A button for what cannot be undone: it asks first, and shows what went wrong. */
export function Confirm({
  label,
  question,
  children,
  action,
  onDone,
}: {
  readonly label: string;
  readonly question: string;
  readonly children?: ReactNode;
  readonly action: () => Promise<unknown>;
  readonly onDone?: () => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const work = useMutation({
    mutationFn: action,
    onSuccess: () => {
      setIsOpen(false);
      onDone?.();
    },
  });
  return (
    <>
      <Button isDanger onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Sheet title={question} side="middle" isOpen={isOpen} onOpenChange={setIsOpen}>
        <div className="stack">
          {children}
          {work.error ? <ErrorNotice error={work.error} /> : null}
          <div className="row row-end">
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button isDanger isBusy={work.isPending} onClick={() => work.mutate()}>
              {label}
            </Button>
          </div>
        </div>
      </Sheet>
    </>
  );
}
