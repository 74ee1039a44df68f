import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

/** Adds a text document to a collection. */
export function DocumentForm({ collectionId, onDone }: { readonly collectionId: string; readonly onDone: () => void }) {
  const [title, setTitle] = useState('');
  const [content, setContent] = useState('');
  const [url, setUrl] = useState('');
  const save = useChange(
    () => lectern().documents.create(collectionId, { title, content, ...(url === '' ? {} : { url }) }),
    ['documents', 'collections'],
    onDone,
  );
  return (
    <Form mutation={save} done={t('documents.created')} label={t('documents.create')}>
      <TextField
        label={t('documents.title')}
        value={title}
        onChange={setTitle}
        required
        maxLength={1_000}
        error={issueOf(save.error, 'title')}
      />
      <TextArea
        label={t('documents.text')}
        value={content}
        onChange={setContent}
        rows={10}
        required
        error={issueOf(save.error, 'content')}
        hint={t('documents.textHint')}
      />
      <TextField
        label={t('documents.url')}
        value={url}
        onChange={setUrl}
        placeholder="https://…"
        error={issueOf(save.error, 'url')}
        hint={t('documents.urlHint')}
      />
    </Form>
  );
}
