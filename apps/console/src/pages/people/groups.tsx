import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Group } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { GroupForm } from '#pages/people/group-form.tsx';
import { GroupItem } from '#pages/people/group-item.tsx';
import { GroupMembers } from '#pages/people/group-members.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The open dialog. */
type Open = { readonly what: 'new' } | { readonly what: 'rename' | 'members'; readonly group: Group };

/** The groups of the team: those of identity providers, and those that admins manage. */
export function Groups() {
  const [open, setOpen] = useState<Open>();
  const groups = usePaged(['groups'], (page, options) => lectern().people.groups({ page, limit: 20 }, options));
  const close = () => setOpen(undefined);
  return (
    <section className="stack" aria-label={t('people.tabs.groups')}>
      <div className="row row-apart">
        <p className="muted grow">{t('people.groups.intro')}</p>
        <Button onClick={() => setOpen({ what: 'new' })}>{t('people.groups.new')}</Button>
      </div>
      <Listing
        paging={groups}
        what={t('people.groups.what')}
        empty={<p className="muted">{t('people.groups.none')}</p>}
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((group) => (
              <GroupItem
                key={group.id}
                group={group}
                onRename={() => setOpen({ what: 'rename', group })}
                onMembers={() => setOpen({ what: 'members', group })}
              />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('people.groups.new')} side="middle" isOpen={open?.what === 'new'} onOpenChange={close}>
        <GroupForm onDone={(group) => setOpen({ what: 'members', group })} />
      </Sheet>
      <Sheet
        title={t('people.groups.renameTitle')}
        description={t('people.groups.renameEffect')}
        side="middle"
        isOpen={open?.what === 'rename'}
        onOpenChange={close}
      >
        {open?.what === 'rename' ? <GroupForm group={open.group} onDone={close} /> : null}
      </Sheet>
      <Sheet
        title={
          open?.what === 'members'
            ? t('people.groups.membersOf', { name: open.group.name })
            : t('people.groups.members')
        }
        isOpen={open?.what === 'members'}
        onOpenChange={close}
      >
        {open?.what === 'members' ? <GroupMembers group={open.group} /> : null}
      </Sheet>
    </section>
  );
}
