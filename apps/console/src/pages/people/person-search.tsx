import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Person } from '#api/types.ts';
import { PersonRow } from '#pages/people/person-row.tsx';
import { t } from '#texts/texts.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';

const MATCHES = 5;

/** Finds people by name or address, to add them somewhere. Works inside another form. */
export function PersonSearch({
  label,
  canAdd,
  isBusy,
  onAdd,
}: {
  readonly label: string;
  readonly canAdd: (person: Person) => boolean;
  readonly isBusy?: (person: Person) => boolean;
  readonly onAdd: (person: Person) => void;
}) {
  const [typed, setTyped] = useState('');
  const query = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['people', 'search', query],
    queryFn: async ({ signal }) => lectern().people.list({ query, page: 1, limit: MATCHES }, { signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <TextField
        label={label}
        value={typed}
        onChange={setTyped}
        placeholder={t('people.search.placeholder')}
        type="search"
        onKeyDown={(event) => {
          // Enter must not submit the form around it.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {found.error ? <ErrorNotice error={found.error} /> : null}
      {query !== '' && found.data ? (
        <>
          <p className="visually-hidden" role="status">
            {t('people.search.count', { total: found.data.total })}
          </p>
          {found.data.items.length === 0 && !found.isPlaceholderData ? (
            <p className="muted">{t('people.search.none')}</p>
          ) : null}
          <ul className="plain-list" aria-label={t('people.search.found')}>
            {found.data.items.map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                action={canAdd(person) ? t('people.search.add') : undefined}
                isBusy={isBusy?.(person) ?? false}
                onAction={() => onAdd(person)}
              />
            ))}
          </ul>
          {found.data.total > MATCHES ? <p className="muted small">{t('people.search.more')}</p> : null}
        </>
      ) : null}
    </>
  );
}
