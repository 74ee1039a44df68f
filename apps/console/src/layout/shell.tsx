import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Account } from '#layout/account.tsx';
import { CommandButton, useCommands } from '#layout/commands/use-commands.tsx';
import { Nav } from '#layout/nav.tsx';
import { WebhookNotice } from '#layout/webhook-notice.tsx';
import { ApprovalNotice } from '#pages/approvals/approval-notice.tsx';
import { t } from '#texts/texts.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Logo } from '#ui/logo.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { Toasts } from '#ui/toasts.tsx';

/** The layout of every page. On narrow screens the navigation is behind a button. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const [location] = useLocation();
  const commands = useCommands();
  const main = useRef<HTMLElement>(null);
  const page = location.split('/')[1];
  const lastPage = useRef(page);
  useEffect(() => {
    // Moves the focus so that screen readers announce the new page.
    if (lastPage.current !== page) main.current?.focus();
    lastPage.current = page;
  }, [page]);

  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('layout.skip')}
      </a>
      <header className="topbar">
        <IconButton icon="menu" label={t('layout.openMenu')} onClick={() => setIsOpen(true)} />
        <Logo />
        <IconButton icon="search" label={t('layout.goTo')} aria-haspopup="dialog" onClick={commands.open} />
      </header>
      {commands.menu}
      <Sheet title={t('layout.menu')} side="left" isOpen={isOpen} onOpenChange={setIsOpen}>
        <Nav onChoose={() => setIsOpen(false)} />
        <Account onChoose={() => setIsOpen(false)} />
      </Sheet>
      <aside className="sidebar" aria-label={t('layout.menu')}>
        <Logo />
        <CommandButton onOpen={commands.open} />
        <Nav />
        <Account />
      </aside>
      <main id="main" className="main" tabIndex={-1} ref={main}>
        <ApprovalNotice />
        <WebhookNotice />
        {children}
      </main>
      <Toasts />
    </div>
  );
}
