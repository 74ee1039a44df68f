import * as Dialog from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { t } from '#texts/texts.ts';
import { closeOnEscape } from '#ui/close-on-escape.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { useRestoredFocus } from '#ui/use-restored-focus.ts';

/** A modal panel at one side or in the middle. Traps the focus and restores it when closed. */
export function Sheet({
  title,
  description,
  side = 'right',
  isOpen,
  onOpenChange,
  children,
}: {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly side?: 'left' | 'right' | 'middle';
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}) {
  const focus = useRestoredFocus();
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className={`sheet sheet-${side}`}
          onKeyDown={closeOnEscape(() => onOpenChange(false))}
          {...focus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="sheet-head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon="close" label={t('ui.close')} />
            </Dialog.Close>
          </header>
          {description === undefined ? null : <Dialog.Description className="muted">{description}</Dialog.Description>}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
