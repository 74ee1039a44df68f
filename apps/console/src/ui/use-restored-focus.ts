import { useRef } from 'react';

/**
 * Handlers of a dialog that return the focus to where it was. Radix restores the focus only for its
 * own triggers.
 */
export function useRestoredFocus() {
  const opener = useRef<Element>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // The action in the dialog can have removed its opener.
      const isLost = opener.current === document.body || opener.current?.isConnected !== true;
      const target = isLost ? document.getElementById('main') : opener.current;
      if (target instanceof HTMLElement) target.focus();
    },
  };
}
