import * as Dialog from '@radix-ui/react-dialog';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '#ui/icon-button.tsx';

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
            // The action in the panel can have removed its opener.
            const target = opener.current?.isConnected ? opener.current : document.getElementById('main');
            if (target instanceof HTMLElement) target.focus();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="sheet-head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon="close" label="Close" />
            </Dialog.Close>
          </header>
          {description === undefined ? null : <Dialog.Description className="muted">{description}</Dialog.Description>}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
