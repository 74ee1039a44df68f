import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { call } from '#api/request.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextArea, TextField } from '#ui/field.tsx';

/** Writes a document into a collection. */
export function DocumentForm({ collectionId, onDone }: { readonly collectionId: string; readonly onDone: () => void }) {
  const queryClient = useQueryClient();
  const [title, setTitle] = useState('');
  const [content, setContent] = useState('');
  const [url, setUrl] = useState('');
  const save = useMutation({
    mutationFn: () =>
      call('POST', `/api/v1/collections/${collectionId}/documents`, {
        body: { title, content, ...(url === '' ? {} : { url }) },
      }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['documents'] });
      void queryClient.invalidateQueries({ queryKey: ['collections'] });
      onDone();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Title"
        value={title}
        onChange={setTitle}
        required
        maxLength={1_000}
        error={issueOf(save.error, 'title')}
      />
      <TextArea
        label="Text"
        value={content}
        onChange={setContent}
        rows={10}
        required
        error={issueOf(save.error, 'content')}
        hint="Markdown keeps its headings."
      />
      <TextField
        label="Address"
        value={url}
        onChange={setUrl}
        placeholder="https://…"
        error={issueOf(save.error, 'url')}
        hint="Where the original is, if it has a page."
      />
      {save.error ? <ErrorNotice error={save.error} /> : null}
      <div className="row row-end">
        <Button type="submit" isPrimary isBusy={save.isPending}>
          Create
        </Button>
      </div>
    </form>
  );
}
