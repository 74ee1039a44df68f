import * as Dialog from '@radix-ui/react-dialog';
import { type ReactNode, useRef } from 'react';
import { Icon } from '#ui/icon.tsx';

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
  const opener = useRef<Element>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className={`sheet sheet-${side}`}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          // Radix restores the focus only for its own triggers.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="sheet-head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </header>
          {description === undefined ? null : <Dialog.Description className="muted">{description}</Dialog.Description>}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
