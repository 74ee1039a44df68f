import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { ScopeField } from '#pages/synonyms/scope-field.tsx';
import { Checkbox, TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { ImportResult } from '#ui/import-result.tsx';
import { plural } from '#ui/plural.ts';
import { TextFileField } from '#ui/text-file-field.tsx';

const EXAMPLE = 'PTO, paid time off, vacation\nlaptop => notebook, MacBook';

/** Imports synonyms from text or a file, all or none. */
export function ImportForm({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [collection, setCollection] = useState<string | null>(null);
  const [replace, setReplace] = useState(false);
  const run = useChange(() => lectern().synonyms.import({ text, collection, replace }), ['synonyms']);
  if (run.data !== undefined) {
    const { created, unchanged, deleted } = run.data;
    return (
      <ImportResult onDone={onDone}>
        Imported {plural(created, 'synonym')}. {unchanged.toLocaleString()} existed already, {deleted.toLocaleString()}{' '}
        deleted.
      </ImportResult>
    );
  }
  return (
    <Form mutation={run} label="Import" isIncomplete={text.trim() === ''}>
      <TextFileField accept=".txt,.csv,text/plain" onText={setText} />
      <TextArea
        label="Synonyms"
        value={text}
        onChange={setText}
        rows={8}
        placeholder={EXAMPLE}
        required
        hint="One per line, as in Solr or Elasticsearch: words separated by commas, or a => b for one direction."
        error={issueOf(run.error, 'text')}
      />
      <ScopeField value={collection} onChange={setCollection} />
      <Checkbox label="Delete the other synonyms of this scope" isChecked={replace} onChange={setReplace} />
    </Form>
  );
}
