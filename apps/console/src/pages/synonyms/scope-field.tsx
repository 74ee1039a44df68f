import { useEffect } from 'react';
import { useCollections } from '#pages/collections/use-collections.ts';
import { useRole } from '#session/session.ts';
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
      label="Applies to"
      value={value ?? ''}
      options={[
        ...(canChooseAll ? [{ value: '', label: 'All searches' }] : []),
        ...collections.map(({ id, name }) => ({ value: id, label: `Searches of ${name}` })),
      ]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
    />
  );
}
