import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Group } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

/** Creates a group, or renames one. */
export function GroupForm({ group, onDone }: { readonly group?: Group; readonly onDone: (saved: Group) => void }) {
  const [name, setName] = useState(group?.name ?? '');
  const save = useChange(
    () =>
      group === undefined ? lectern().people.createGroup({ name }) : lectern().people.updateGroup(group.id, { name }),
    ['groups', 'people'],
    onDone,
  );
  return (
    <Form
      mutation={save}
      label={t(group === undefined ? 'people.groups.create' : 'people.groups.rename')}
      isIncomplete={name.trim() === ''}
    >
      <TextField
        label={t('ui.name')}
        value={name}
        onChange={setName}
        maxLength={200}
        error={issueOf(save.error, 'name')}
        required
        autoFocus
      />
    </Form>
  );
}
