import * as Dialog from '@radix-ui/react-dialog';
import { Command } from 'cmdk';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type CommandEntry, matching } from '#layout/commands/matching.ts';
import { useRecords } from '#layout/commands/use-records.ts';
import { pageGroupsOf } from '#layout/pages.ts';
import { useRole, useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { closeOnEscape } from '#ui/close-on-escape.ts';
import { Icon } from '#ui/icon.tsx';
import { useRestoredFocus } from '#ui/use-restored-focus.ts';

const ACTIONS: readonly CommandEntry[] = [
  {
    to: '/collections?new',
    label: t('layout.commands.newCollection.label'),
    icon: 'add',
    words: t('layout.commands.newCollection.words').split(' '),
  },
  {
    to: '/connectors/new',
    label: t('layout.commands.newConnector.label'),
    icon: 'add',
    words: t('layout.commands.newConnector.words').split(' '),
  },
];

/** What can be done with any text. */
function documentEntries(query: string): readonly CommandEntry[] {
  if (query === '') return [];
  const search = new URLSearchParams({ q: query });
  return [
    { key: 'search', to: `/search?${search}`, label: t('layout.commands.searchFor', { query }), icon: 'search' },
    { key: 'ask', to: `/ask?${search}`, label: t('layout.commands.ask', { query }), icon: 'ask' },
  ];
}

/** The dialog that opens pages and records, and starts searches and questions, by typing. */
export default function CommandMenu({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState({ list: '', key: '' });
  const [, navigate] = useLocation();
  const pages = pageGroupsOf(useSession()).flatMap((group) => group.pages);
  const mayEdit = useRole('editor');
  const records = useRecords(mayEdit);
  const focus = useRestoredFocus();
  const hasMoved = useRef(false);
  const query = text.trim();
  const groups = [
    ...matching(query, [
      { heading: t('layout.pagesTitle'), entries: pages },
      { heading: t('layout.commands.actions'), entries: mayEdit ? ACTIONS : [] },
      { heading: t('layout.commands.records'), entries: records },
    ]),
    { heading: t('layout.commands.documents'), entries: documentEntries(query) },
  ];

  // The best entry is selected, also after the records have arrived, until another one is chosen.
  const list = `${records.length} ${query}`;
  const [best] = groups.flatMap(({ entries }) => entries);
  const selected = chosen.list === list ? chosen.key : (best?.key ?? best?.to ?? '');

  function open(to: string) {
    hasMoved.current = true;
    onClose();
    navigate(to);
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="command-menu"
          aria-describedby={undefined}
          onKeyDown={closeOnEscape(onClose)}
          onOpenAutoFocus={focus.onOpenAutoFocus}
          onCloseAutoFocus={(event) => {
            if (!hasMoved.current) return focus.onCloseAutoFocus(event);
            event.preventDefault();
            // The new page can have moved the focus already.
            if (document.activeElement === document.body) document.getElementById('main')?.focus();
          }}
        >
          <Dialog.Title className="visually-hidden">{t('layout.commands.title')}</Dialog.Title>
          <Command
            label={t('layout.commands.title')}
            loop
            shouldFilter={false}
            value={selected}
            onValueChange={(key) => setChosen({ list, key })}
          >
            <Command.Input value={text} onValueChange={setText} placeholder={t('layout.commands.placeholder')} />
            <Command.List>
              {groups.map(({ heading, entries }) =>
                entries.length === 0 ? null : (
                  <Command.Group key={heading} heading={heading}>
                    {entries.map(({ to, key = to, label, icon, detail }) => (
                      <Command.Item key={key} value={key} onSelect={() => open(to)}>
                        <Icon name={icon} />
                        <span className="grow">{label}</span>
                        {detail === undefined ? null : <span className="muted small">{detail}</span>}
                      </Command.Item>
                    ))}
                  </Command.Group>
                ),
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
