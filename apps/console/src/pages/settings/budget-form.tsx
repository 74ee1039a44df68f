import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Budget } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const AFFECTED = ['budgets', 'own-key'];
const textOf = (value: number | null) => value?.toString() ?? '';
const limitOf = (text: string) => (text === '' ? null : Number(text));

const FIELDS = [
  { name: 'softTokens', label: t('settings.budgets.form.softTokens'), step: 1 },
  { name: 'hardTokens', label: t('settings.budgets.form.hardTokens'), step: 1 },
  { name: 'softCost', label: t('settings.budgets.form.softCost'), step: 'any' },
  { name: 'hardCost', label: t('settings.budgets.form.hardCost'), step: 'any' },
] as const;

/** Edits the limits of a person, a key pair or all people. */
export function BudgetForm({ budget, onDone }: { readonly budget: Budget; readonly onDone: () => void }) {
  const [values, setValues] = useState({
    softTokens: textOf(budget.softTokens),
    hardTokens: textOf(budget.hardTokens),
    softCost: textOf(budget.softCost),
    hardCost: textOf(budget.hardCost),
  });
  const save = useChange(
    () =>
      lectern().budgets.set(budget.id, {
        softTokens: limitOf(values.softTokens),
        hardTokens: limitOf(values.hardTokens),
        softCost: limitOf(values.softCost),
        hardCost: limitOf(values.hardCost),
      }),
    AFFECTED,
    onDone,
  );
  const remove = useChange(() => lectern().budgets.delete(budget.id), AFFECTED, onDone);
  return (
    <Form
      mutation={save}
      label={t('settings.save')}
      actions={
        budget.isDefault ? null : (
          <Button isBusy={remove.isPending} onClick={() => remove.mutate()}>
            {t(budget.kind === 'person' ? 'settings.budgets.form.useDefault' : 'settings.budgets.form.removeLimits')}
          </Button>
        )
      }
    >
      <p className="muted">
        {t(budget.kind === 'people' ? 'settings.budgets.form.helpPeople' : 'settings.budgets.form.help')}
      </p>
      <div className="form-grid">
        {FIELDS.map(({ name, label, step }) => (
          <TextField
            key={name}
            label={label}
            type="number"
            min={0}
            step={step}
            value={values[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
            error={issueOf(save.error, name)}
          />
        ))}
      </div>
      {remove.error ? <ErrorNotice error={remove.error} /> : null}
    </Form>
  );
}
