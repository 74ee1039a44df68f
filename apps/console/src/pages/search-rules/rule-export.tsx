import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { ScopeField } from '#pages/synonyms/scope-field.tsx';
import { t } from '#texts/texts.ts';
import { Form } from '#ui/form.tsx';
import { saveFile } from '#ui/save-file.ts';

/** Downloads the rules of one scope as a file that an import accepts. */
export function RuleExport({ onDone }: { readonly onDone: () => void }) {
  const [collection, setCollection] = useState<string | null>(null);
  const run = useChange(
    async () => {
      const { rules } = await lectern().searchRules.export(collection === null ? {} : { collection });
      saveFile('search-rules.json', new Blob([`${JSON.stringify(rules, null, 2)}\n`], { type: 'application/json' }));
    },
    [],
    onDone,
  );
  return (
    <Form mutation={run} label={t('searchRules.export')}>
      <p className="muted">{t('searchRules.exportHelp')}</p>
      <ScopeField value={collection} onChange={setCollection} />
    </Form>
  );
}
