import { useState } from 'react';
import { CollectionForm } from '#pages/collections/collection-form.tsx';
import { useCollections } from '#pages/collections/use-collections.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The collection that documents are indexed in. A new one can be created in place. */
export function CollectionField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const [isCreating, setIsCreating] = useState(false);
  const collections = useCollections();
  const isEmpty = collections.data?.length === 0;
  return (
    <div className="stack">
      <SelectField
        label={t('collections.collection')}
        value={value}
        onChange={onChange}
        options={(collections.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        hint={t(isEmpty ? 'collections.noneInField' : 'collections.fieldHint')}
      />
      <div>
        <Button className="button-small" onClick={() => setIsCreating(true)}>
          {t('collections.new')}
        </Button>
      </div>
      {collections.error ? <ErrorNotice error={collections.error} onRetry={() => void collections.refetch()} /> : null}
      <Sheet title={t('collections.new')} side="middle" isOpen={isCreating} onOpenChange={setIsCreating}>
        <CollectionForm
          onDone={({ id }) => {
            setIsCreating(false);
            onChange(id);
          }}
        />
      </Sheet>
    </div>
  );
}
