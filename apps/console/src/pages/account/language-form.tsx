import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Account } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const BROWSER = 'browser';
const OPTIONS = [
  { value: BROWSER, label: 'Same as the browser' },
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
];

/** The language in which Lectern writes to the person. */
export function LanguageForm({ language }: { readonly language: Account['language'] }) {
  const [chosen, setChosen] = useState(language ?? BROWSER);
  const save = useChange(
    () => lectern().client.call('updateAccount', { body: { language: chosen === BROWSER ? null : chosen } }),
    ['account', 'own-key'],
  );
  return (
    <section className="stack" aria-labelledby="account-language">
      <h2 id="account-language">Language</h2>
      <Form
        mutation={save}
        label="Save language"
        isIncomplete={chosen === (language ?? BROWSER)}
        done="The language is saved."
        isCard
      >
        <SelectField
          label="Your language"
          value={chosen}
          options={OPTIONS}
          onChange={setChosen}
          hint="For the sign-in page, and for replies where the language of a question is unclear. The rest of the console is in English."
        />
      </Form>
    </section>
  );
}
