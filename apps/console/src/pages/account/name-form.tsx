import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Person } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

export function NameForm({ person }: { readonly person: Person }) {
  const [name, setName] = useState(person.name);
  const save = useChange(
    () => lectern().client.call('updateAccount', { body: { name } }),
    ['account', 'own-key', 'people'],
  );
  return (
    <section className="stack" aria-labelledby="account-name">
      <h2 id="account-name">{t('ui.name')}</h2>
      <Form
        mutation={save}
        done={t('account.name.saved')}
        label={t('account.name.save')}
        isIncomplete={name.trim() === '' || name === person.name}
        isCard
      >
        <TextField
          label={t('account.name.label')}
          autoComplete="name"
          value={name}
          onChange={setName}
          error={issueOf(save.error, 'name')}
          required
        />
      </Form>
    </section>
  );
}
