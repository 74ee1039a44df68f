import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Checkbox, TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { ImportResult } from '#ui/import-result.tsx';
import { TextFileField } from '#ui/text-file-field.tsx';

const EXAMPLE = '{"question":"How many days of leave do I have?","texts":["30 days"]}';

/** Imports test cases from JSON Lines, all or none. */
export function ImportForm({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [replace, setReplace] = useState(false);
  const run = useChange(() => lectern().testCases.import({ text, replace }), ['test-cases']);
  if (run.data !== undefined) {
    const { created: count, updated, deleted } = run.data;
    return <ImportResult onDone={onDone}>{t('testCases.imported', { count, updated, deleted })}</ImportResult>;
  }
  return (
    <Form mutation={run} label={t('testCases.import')} isIncomplete={text.trim() === ''}>
      <TextFileField accept=".jsonl,.ndjson,.txt" onText={setText} />
      <TextArea
        label={t('testCases.title')}
        value={text}
        onChange={setText}
        rows={8}
        placeholder={EXAMPLE}
        required
        hint={t('testCases.importHint')}
        error={issueOf(run.error, 'text')}
      />
      <Checkbox label={t('testCases.deleteOthers')} isChecked={replace} onChange={setReplace} />
    </Form>
  );
}
