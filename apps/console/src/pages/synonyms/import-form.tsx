import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { ScopeField } from '#pages/synonyms/scope-field.tsx';
import { t } from '#texts/texts.ts';
import { Checkbox, TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { ImportResult } from '#ui/import-result.tsx';
import { TextFileField } from '#ui/text-file-field.tsx';

/** Imports synonyms from text or a file, all or none. */
export function ImportForm({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [collection, setCollection] = useState<string | null>(null);
  const [replace, setReplace] = useState(false);
  const run = useChange(() => lectern().synonyms.import({ text, collection, replace }), ['synonyms']);
  if (run.data !== undefined) {
    const { created, unchanged, deleted } = run.data;
    return (
      <ImportResult onDone={onDone}>{t('synonyms.imported', { count: created, unchanged, deleted })}</ImportResult>
    );
  }
  return (
    <Form mutation={run} label={t('synonyms.import')} isIncomplete={text.trim() === ''}>
      <TextFileField accept=".txt,.csv,text/plain" onText={setText} />
      <TextArea
        label={t('synonyms.lines')}
        value={text}
        onChange={setText}
        rows={8}
        placeholder={t('synonyms.linesExample')}
        required
        hint={t('synonyms.linesHint')}
        error={issueOf(run.error, 'text')}
      />
      <ScopeField value={collection} onChange={setCollection} />
      <Checkbox label={t('synonyms.replace')} isChecked={replace} onChange={setReplace} />
    </Form>
  );
}
