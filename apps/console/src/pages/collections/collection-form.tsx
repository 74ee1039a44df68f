import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { call } from '#api/request.ts';
import type { Collection } from '#api/types.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextArea, TextField } from '#ui/field.tsx';

/** Makes a collection, or changes the one that is given. */
export function CollectionForm({
  collection,
  onDone,
}: {
  readonly collection?: Collection;
  readonly onDone: (collection: Collection) => void;
}) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(collection?.name ?? '');
  const [description, setDescription] = useState(collection?.description ?? '');
  const save = useMutation({
    mutationFn: () =>
      collection === undefined
        ? call<Collection>('POST', '/api/v1/collections', {
            body: { name, ...(description === '' ? {} : { description }) },
          })
        : call<Collection>('PUT', `/api/v1/collections/${collection.id}`, { body: { name, description } }),
    onSuccess: (saved) => {
      void queryClient.invalidateQueries({ queryKey: ['collections'] });
      onDone(saved);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        required
        maxLength={200}
        error={issueOf(save.error, 'name')}
      />
      <TextArea label="Description" value={description} onChange={setDescription} maxLength={5_000} />
      {save.error ? <ErrorNotice error={save.error} /> : null}
      <div className="row row-end">
        <Button type="submit" isPrimary isBusy={save.isPending} disabled={name.trim() === ''}>
          {collection === undefined ? 'Create' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
