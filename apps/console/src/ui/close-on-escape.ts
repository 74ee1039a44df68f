import type { KeyboardEvent } from 'react';

/**
 * Handler of key presses in a dialog. Radix gives Escape only to the layer that opened last, which can be a toast
 * that appeared while the dialog was open.
 */
export const closeOnEscape = (onClose: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  // Dialogs around this one must stay open.
  event.preventDefault();
  onClose();
};
