import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Collection } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { NameField } from '#ui/name-field.tsx';

/** Creates or edits a collection. */
export function CollectionForm({
  collection,
  onDone,
}: {
  readonly collection?: Collection;
  readonly onDone: (collection: Collection) => void;
}) {
  const [name, setName] = useState(collection?.name ?? '');
  const [description, setDescription] = useState(collection?.description ?? '');
  const save = useChange<Collection>(
    () =>
      collection === undefined
        ? lectern().collections.create({ name, ...(description === '' ? {} : { description }) })
        : lectern().collections.update(collection.id, { name, description }),
    ['collections'],
    onDone,
  );
  return (
    <Form
      mutation={save}
      done={t(collection === undefined ? 'collections.created' : 'collections.saved', { name: name.trim() })}
      label={t(collection === undefined ? 'collections.create' : 'collections.save')}
      isIncomplete={name.trim() === ''}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      <TextArea label={t('collections.description')} value={description} onChange={setDescription} maxLength={5_000} />
    </Form>
  );
}
