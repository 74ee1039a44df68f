import * as Dialog from '@radix-ui/react-dialog';
import { Command } from 'cmdk';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { scoreOf } from '#layout/commands/score.ts';
import { type CommandEntry, useRecords } from '#layout/commands/use-records.ts';
import { pageGroupsOf } from '#layout/pages.ts';
import { useRole, useSession } from '#session/session.ts';
import { Icon } from '#ui/icon.tsx';
import { useRestoredFocus } from '#ui/use-restored-focus.ts';

/** The score of searches and questions, which match everything: below each entry that matches the text. */
const LAST = 0.1;

/** The dialog that opens pages and records, and starts searches and questions, by typing. */
export default function CommandMenu({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const pages = pageGroupsOf(useSession()).flatMap((group) => group.pages);
  const mayEdit = useRole('editor');
  const query = text.trim();
  /** The new page has the focus, not what opened the menu. */
  const hasMoved = useRef(false);

  const item = ({ to, label, icon, words = [], detail }: CommandEntry) => (
    <Command.Item
      key={to}
      value={to}
      keywords={[label, ...words]}
      onSelect={() => {
        hasMoved.current = true;
        onClose();
        navigate(to);
      }}
    >
      <Icon name={icon} />
      <span className="grow">{label}</span>
      {detail === undefined ? null : <span className="muted small">{detail}</span>}
    </Command.Item>
  );
  const records = useRecords(mayEdit);
  const focus = useRestoredFocus();

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="command-menu"
          aria-describedby={undefined}
          onOpenAutoFocus={focus.onOpenAutoFocus}
          onCloseAutoFocus={(event) => {
            if (!hasMoved.current) return focus.onCloseAutoFocus(event);
            event.preventDefault();
            // The new page can have moved the focus already.
            if (document.activeElement === document.body) document.getElementById('main')?.focus();
          }}
        >
          <Dialog.Title className="visually-hidden">Commands</Dialog.Title>
          <Command
            label="Commands"
            loop
            filter={(to, search, keywords) => (to.includes('?q=') ? LAST : scoreOf(search, keywords ?? []))}
          >
            <Command.Input value={text} onValueChange={setText} placeholder="Go to a page, or search…" />
            <Command.List>
              <Command.Empty className="muted">Nothing matches.</Command.Empty>
              {query === '' ? null : (
                <Command.Group heading="Documents">
                  {item({
                    to: `/search?${new URLSearchParams({ q: query })}`,
                    label: `Search for “${query}”`,
                    icon: 'search',
                  })}
                  {item({ to: `/ask?${new URLSearchParams({ q: query })}`, label: `Ask “${query}”`, icon: 'ask' })}
                </Command.Group>
              )}
              <Command.Group heading="Pages">{pages.map(item)}</Command.Group>
              {mayEdit ? (
                <Command.Group heading="Actions">
                  {item({ to: '/collections?new', label: 'New collection', icon: 'add', words: ['create'] })}
                  {item({ to: '/connectors/new', label: 'New connector', icon: 'add', words: ['create', 'source'] })}
                </Command.Group>
              ) : null}
              {records.length === 0 ? null : (
                <Command.Group heading="Collections, connectors and agents">{records.map(item)}</Command.Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
