import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Collection } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
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
      done={`“${name.trim()}” is ${collection === undefined ? 'created' : 'saved'}.`}
      label={collection === undefined ? 'Create' : 'Save'}
      isIncomplete={name.trim() === ''}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      <TextArea label="Description" value={description} onChange={setDescription} maxLength={5_000} />
    </Form>
  );
}
