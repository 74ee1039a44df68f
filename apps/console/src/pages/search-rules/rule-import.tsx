import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { ScopeField } from '#pages/synonyms/scope-field.tsx';
import { Checkbox } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { ImportResult } from '#ui/import-result.tsx';
import { plural } from '#ui/plural.ts';
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
  throw new Error('The file does not contain a list of search rules. Choose a file that Export created.');
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
        Imported {plural(created, 'new rule')}. {updated.toLocaleString()} changed, {unchanged.toLocaleString()} existed
        already, {deleted.toLocaleString()} deleted.
      </ImportResult>
    );
  }
  return (
    <Form mutation={run} label="Import" isIncomplete={text.trim() === ''}>
      <TextFileField
        accept=".json,application/json"
        hint="A JSON file that Export created. A rule for the same words is replaced."
        onText={setText}
      />
      <ScopeField value={collection} onChange={setCollection} />
      <Checkbox label="Delete the other rules of this scope" isChecked={replace} onChange={setReplace} />
    </Form>
  );
}
