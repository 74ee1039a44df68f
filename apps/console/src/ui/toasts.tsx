import * as Toast from '@radix-ui/react-toast';
import { useSyncExternalStore } from 'react';
import { t } from '#texts/texts.ts';
import { Icon } from '#ui/icon.tsx';
import { IconButton } from '#ui/icon-button.tsx';

interface Message {
  readonly id: number;
  readonly text: string;
}

/** Long enough to read a sentence twice; the pointer or the focus on a toast stops the clock. */
const SHOWN_MS = 6_000;
/** More would cover the page. */
const MAX_SHOWN = 3;

let lastId = 0;
let messages: readonly Message[] = [];
const listeners = new Set<() => void>();

function replaceMessages(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Shows for some seconds that an action succeeded. */
export function showToast(text: string): void {
  lastId += 1;
  replaceMessages([...messages, { id: lastId, text }].slice(-MAX_SHOWN));
}

/** Forgets all toasts, because the next user of the tab must not see them. */
export const clearToasts = (): void => replaceMessages([]);

/** The confirmations of recent actions, at the end of the page. Screen readers read each once. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
  return (
    <Toast.Provider duration={SHOWN_MS} label={t('ui.notification')}>
      {shown.map(({ id, text }) => (
        <Toast.Root
          key={id}
          type="background"
          className="toast"
          onOpenChange={(isOpen) => {
            if (!isOpen) replaceMessages(messages.filter((other) => other.id !== id));
          }}
        >
          <Icon name="check" />
          <Toast.Description>{text}</Toast.Description>
          <Toast.Close asChild>
            <IconButton icon="close" label={t('ui.close')} isQuiet />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="toasts" />
    </Toast.Provider>
  );
}
