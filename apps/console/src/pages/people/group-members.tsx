import { lectern } from '#api/lectern.ts';
import type { Group } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { PersonRow } from '#pages/people/person-row.tsx';
import { PersonSearch } from '#pages/people/person-search.tsx';
import { t } from '#texts/texts.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Listing } from '#ui/listing.tsx';

const AFFECTED = ['groups', 'group-members', 'people', 'own-key'];

function AddMember({ group: { id, principal } }: { readonly group: Group }) {
  const add = useChange((personId: string) => lectern().people.addMember(id, personId), AFFECTED);
  return (
    <div className="stack">
      {add.error ? <ErrorNotice error={add.error} /> : null}
      <PersonSearch
        label={t('people.groups.addPerson')}
        canAdd={(person) => !person.groups.includes(principal)}
        isBusy={(person) => add.isPending && add.variables === person.id}
        onAdd={(person) => add.mutate(person.id)}
      />
    </div>
  );
}

/** The members of a group. Only those of groups that admins manage can be changed. */
export function GroupMembers({ group }: { readonly group: Group }) {
  const { id, managedBy, source } = group;
  const members = usePaged(['group-members', id], (page, options) =>
    lectern().people.members(id, { page, limit: 20 }, options),
  );
  const remove = useChange((personId: string) => lectern().people.removeMember(id, personId), AFFECTED);
  const isOwn = managedBy === 'admin';
  return (
    <div className="stack">
      {isOwn ? <AddMember group={group} /> : <p className="muted">{t('people.groups.changeAtSource', { source })}</p>}
      {remove.error ? <ErrorNotice error={remove.error} /> : null}
      <section className="stack" aria-label={t('people.groups.members')}>
        <h3>{t('people.groups.members')}</h3>
        <Listing
          paging={members}
          what={t('people.groups.membersWhat')}
          empty={<p className="muted">{t('people.groups.noMembers')}</p>}
        >
          {(items) => (
            <ul className="plain-list" aria-label={t('people.groups.members')}>
              {items.map((person) => (
                <PersonRow
                  key={person.id}
                  person={person}
                  action={isOwn ? t('people.groups.remove') : undefined}
                  isBusy={remove.isPending && remove.variables === person.id}
                  onAction={() => remove.mutate(person.id)}
                />
              ))}
            </ul>
          )}
        </Listing>
      </section>
    </div>
  );
}
