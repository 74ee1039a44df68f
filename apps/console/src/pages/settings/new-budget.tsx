import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Budget } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';

/** The first page of people and keys. Others can be added over the API. */
const MAX_CHOICES = 100;

/** Chooses a person or a key whose budget is then edited. */
export function NewBudget({ onChoose }: { readonly onChoose: (budget: Budget) => void }) {
  const [id, setId] = useState('');
  const subjects = useQuery({
    queryKey: ['budget-subjects'],
    queryFn: async ({ signal }) => {
      const [people, keys] = await Promise.all([
        lectern().people.list({ limit: MAX_CHOICES }, { signal }),
        lectern().keys.list({ limit: MAX_CHOICES }, { signal }),
      ]);
      const active = keys.items.filter(({ revokedAt }) => revokedAt === null);
      return [
        { value: '', label: t('settings.budgets.new.choose') },
        ...people.items.map(({ id: value, name, email }) => ({ value, label: `${name} (${email})` })),
        ...active.map(({ id: value, name }) => ({ value, label: t('settings.budgets.new.key', { name }) })),
      ];
    },
  });
  const choose = useChange(() => lectern().budgets.get(id), [], onChoose);
  return (
    <QueryView query={subjects} what={t('settings.budgets.new.what')}>
      {(options) => (
        <Form mutation={choose} label={t('settings.budgets.new.continue')} isIncomplete={id === ''}>
          <SelectField label={t('settings.budgets.new.subject')} value={id} options={options} onChange={setId} />
        </Form>
      )}
    </QueryView>
  );
}
