import { useEffect } from 'react';
import { useCollections } from '#pages/collections/use-collections.ts';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { SelectField } from '#ui/field.tsx';

/** The collection whose searches use a synonym. Null: all searches. */
export function ScopeField({
  value,
  onChange,
}: {
  readonly value: string | null;
  readonly onChange: (collection: string | null) => void;
}) {
  const canChooseAll = useRole('editor');
  const { data: collections = [] } = useCollections();
  const first = collections[0]?.id;
  useEffect(() => {
    if (!canChooseAll && value === null && first !== undefined) onChange(first);
  }, [canChooseAll, value, first, onChange]);
  return (
    <SelectField
      label={t('synonyms.scope')}
      value={value ?? ''}
      options={[
        ...(canChooseAll ? [{ value: '', label: t('synonyms.allSearches') }] : []),
        ...collections.map(({ id, name }) => ({ value: id, label: t('synonyms.searchesOf', { name }) })),
      ]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
    />
  );
}
