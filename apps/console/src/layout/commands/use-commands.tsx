import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '#texts/texts.ts';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { Icon } from '#ui/icon.tsx';

// Loaded when it is first opened.
const CommandMenu = lazy(() => import('#layout/commands/command-menu.tsx'));

/** Macs have a command key. */
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The command menu, and how to open it. Control+K or ⌘K opens and closes it on every page. */
export function useCommands() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey || event.repeat) return;
      if (event.ctrlKey === event.metaKey || event.metaKey !== IS_APPLE) return;
      // Browsers open their address bar.
      event.preventDefault();
      // A dialog can have unsaved input.
      if (document.querySelector('[role=dialog]:not(.command-menu)') !== null) return;
      setIsOpen((wasOpen) => !wasOpen);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const menu = isOpen ? (
    <ErrorBoundary>
      <Suspense>
        <CommandMenu onClose={() => setIsOpen(false)} />
      </Suspense>
    </ErrorBoundary>
  ) : null;
  return { menu, open: () => setIsOpen(true) };
}

/** Opens the command menu. */
export function CommandButton({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <button
      type="button"
      className="command-button"
      aria-haspopup="dialog"
      aria-keyshortcuts={IS_APPLE ? 'Meta+K' : 'Control+K'}
      onClick={onOpen}
    >
      <Icon name="search" />
      <span className="grow">{t('layout.goTo')}</span>
      <kbd>{IS_APPLE ? '⌘K' : t('layout.shortcut')}</kbd>
    </button>
  );
}
