import type { Schemas } from '@lectern/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';

type Retention = Schemas['Retention'];

const FIELDS = [
  {
    name: 'conversations',
    label: t('settings.retention.conversations'),
    min: 1,
    hint: t('settings.retention.conversationsHint'),
  },
  { name: 'audit', label: t('settings.retention.audit'), min: 30, hint: t('settings.retention.auditHint') },
  { name: 'events', label: t('settings.retention.events'), min: 1, hint: t('settings.retention.eventsHint') },
  { name: 'usage', label: t('settings.retention.usage'), min: 1, hint: t('settings.retention.usageHint') },
] as const;

/** How long data is kept. */
export function RetentionPanel() {
  const retention = useQuery({
    queryKey: ['retention'],
    queryFn: ({ signal }) => lectern().retention.get({ signal }),
  });
  return (
    <QueryView query={retention} what={t('settings.retention.what')}>
      {(current) => <RetentionForm current={current} />}
    </QueryView>
  );
}

function RetentionForm({ current }: { readonly current: Retention }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(FIELDS.map(({ name }) => [name, current[name]?.toString() ?? ''])),
  );
  const save = useChange(() => {
    const days = (name: string) => (values[name] ? Number(values[name]) : null);
    return lectern().retention.update({
      conversations: days('conversations'),
      audit: days('audit'),
      events: days('events'),
      usage: days('usage'),
    });
  }, ['retention']);
  return (
    <Form mutation={save} label={t('settings.save')} done={t('settings.retention.saved')}>
      <p className="muted">{t('settings.retention.help')}</p>
      <div className="form-grid">
        {FIELDS.map(({ name, label, min, hint }) => (
          <TextField
            key={name}
            label={label}
            type="number"
            min={min}
            value={values[name] ?? ''}
            onChange={(value) => setValues({ ...values, [name]: value })}
            hint={hint}
            error={issueOf(save.error, name)}
          />
        ))}
      </div>
    </Form>
  );
}
