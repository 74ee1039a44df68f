import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { Checkbox, TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { ImportResult } from '#ui/import-result.tsx';
import { plural } from '#ui/plural.ts';
import { TextFileField } from '#ui/text-file-field.tsx';

const EXAMPLE = '{"question":"How many days of leave do I have?","texts":["30 days"]}';

/** Imports test cases from JSON Lines, all or none. */
export function ImportForm({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [replace, setReplace] = useState(false);
  const run = useChange(() => lectern().testCases.import({ text, replace }), ['test-cases']);
  if (run.data !== undefined) {
    const { created, updated, deleted } = run.data;
    return (
      <ImportResult onDone={onDone}>
        Imported {plural(created, 'new test case')}. {updated.toLocaleString()} existed already,{' '}
        {deleted.toLocaleString()} deleted.
      </ImportResult>
    );
  }
  return (
    <Form mutation={run} label="Import" isIncomplete={text.trim() === ''}>
      <TextFileField accept=".jsonl,.ndjson,.txt" onText={setText} />
      <TextArea
        label="Test cases"
        value={text}
        onChange={setText}
        rows={8}
        placeholder={EXAMPLE}
        required
        hint="One JSON object per line."
        error={issueOf(run.error, 'text')}
      />
      <Checkbox label="Delete the other test cases" isChecked={replace} onChange={setReplace} />
    </Form>
  );
}
