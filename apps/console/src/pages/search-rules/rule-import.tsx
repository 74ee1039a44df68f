import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { ScopeField } from '#pages/synonyms/scope-field.tsx';
import { t } from '#texts/texts.ts';
import { Checkbox } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { ImportResult } from '#ui/import-result.tsx';
import { TextFileField } from '#ui/text-file-field.tsx';

type Imported = Parameters<ReturnType<typeof lectern>['searchRules']['import']>[0]['rules'];

/** The server checks the rules. */
function parseRules(text: string): Imported {
  try {
    const rules: unknown = JSON.parse(text);
    if (Array.isArray(rules)) return rules;
  } catch {
    // Reported below.
  }
  throw new Error(t('searchRules.notRules'));
}

/** Imports rules from a file, all or none. */
export function RuleImport({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [collection, setCollection] = useState<string | null>(null);
  const [replace, setReplace] = useState(false);
  const run = useChange(
    async () => lectern().searchRules.import({ rules: parseRules(text), collection, replace }),
    ['search-rules'],
  );
  if (run.data !== undefined) {
    const { created, updated, unchanged, deleted } = run.data;
    return (
      <ImportResult onDone={onDone}>
        {t('searchRules.imported', { count: created, updated, unchanged, deleted })}
      </ImportResult>
    );
  }
  return (
    <Form mutation={run} label={t('searchRules.import')} isIncomplete={text.trim() === ''}>
      <TextFileField accept=".json,application/json" hint={t('searchRules.importHint')} onText={setText} />
      <ScopeField value={collection} onChange={setCollection} />
      <Checkbox label={t('searchRules.replace')} isChecked={replace} onChange={setReplace} />
    </Form>
  );
}
