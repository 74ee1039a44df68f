import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Account } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const BROWSER = 'browser';
const OPTIONS = [
  { value: BROWSER, label: t('account.language.asBrowser') },
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
];

/** The language of the console, and of what Lectern writes to the person. */
export function LanguageForm({ language }: { readonly language: Account['language'] }) {
  const [chosen, setChosen] = useState(language ?? BROWSER);
  const save = useChange(
    () => lectern().client.call('updateAccount', { body: { language: chosen === BROWSER ? null : chosen } }),
    ['account', 'own-key'],
  );
  return (
    <section className="stack" aria-labelledby="account-language">
      <h2 id="account-language">{t('account.language.title')}</h2>
      <Form
        mutation={save}
        label={t('account.language.save')}
        isIncomplete={chosen === (language ?? BROWSER)}
        done={t('account.language.saved')}
        isCard
      >
        <SelectField
          label={t('account.language.label')}
          value={chosen}
          options={OPTIONS}
          onChange={setChosen}
          hint={t('account.language.hint')}
        />
      </Form>
    </section>
  );
}
