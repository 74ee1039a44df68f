import { useId, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox, TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { plural } from '#ui/plural.ts';

const EXAMPLE = '{"question":"How many days of leave do I have?","texts":["30 days"]}';

/** Imports test cases from JSON Lines, all or none. */
export function ImportForm({ onDone }: { readonly onDone: () => void }) {
  const fileId = useId();
  const [text, setText] = useState('');
  const [replace, setReplace] = useState(false);
  const run = useChange(() => lectern().testCases.import({ text, replace }), ['test-cases']);
  if (run.data !== undefined) {
    const { created, updated, deleted } = run.data;
    return (
      <div className="stack">
        <p className="notice notice-good" role="status">
          Imported {plural(created, 'new test case')}. {updated.toLocaleString()} existed already,{' '}
          {deleted.toLocaleString()} deleted.
        </p>
        <div className="row row-end">
          <Button isPrimary onClick={onDone}>
            Done
          </Button>
        </div>
      </div>
    );
  }
  return (
    <Form mutation={run} label="Import" isIncomplete={text.trim() === ''}>
      <div className="field">
        <label htmlFor={fileId}>File</label>
        <input
          id={fileId}
          type="file"
          accept=".jsonl,.ndjson,.txt"
          onChange={(event) => void event.target.files?.[0]?.text().then(setText)}
        />
      </div>
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
