import type { Schemas } from '@lectern/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';

type Retention = Schemas['Retention'];

const FIELDS = [
  { name: 'conversations', label: 'Conversations', min: 1, hint: 'After the last message, with agent runs.' },
  { name: 'audit', label: 'Audit log', min: 30, hint: 'At least 30 days.' },
  { name: 'events', label: 'Analytics events', min: 1, hint: 'Events that applications record.' },
  { name: 'usage', label: 'Usage', min: 1, hint: 'Leave empty for the default of the installation.' },
] as const;

/** How long data is kept. */
export function RetentionPanel() {
  const retention = useQuery({
    queryKey: ['retention'],
    queryFn: ({ signal }) => lectern().retention.get({ signal }),
  });
  return (
    <QueryView query={retention} what="the settings">
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
    <Form mutation={save} label="Save" done="The retention periods are saved.">
      <p className="muted">
        Days after which Lectern deletes data. Leave a field empty to keep the data. Deleted data cannot be restored.
      </p>
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
