import { lectern } from '#api/lectern.ts';
import type { Group } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';
import { plural } from '#ui/plural.ts';

const NONE = 'none';
const ROLES = [
  { value: NONE, label: 'No role' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
];

const roleOf = (value: string): Group['role'] => (value === 'editor' || value === 'admin' ? value : null);

/** Who manages the group. */
function managerOf({ managedBy, source }: Group): string {
  if (managedBy === 'admin') return 'managed here';
  return managedBy === 'scim' ? `managed by ${source} through SCIM` : `from sign-ins with ${source}`;
}

/** A group with its principal, its role and the actions that are possible. */
export function GroupItem({
  group,
  onRename,
  onMembers,
}: {
  readonly group: Group;
  readonly onRename: () => void;
  readonly onMembers: () => void;
}) {
  const { id, name, role, principal, memberCount, managedBy } = group;
  const affected = ['groups', 'people', 'own-key'];
  const changeRole = useChange((next: Group['role']) => lectern().people.updateGroup(id, { role: next }), affected);
  const remove = useChange(() => lectern().people.deleteGroup(id), affected);
  return (
    <li className="card stack">
      <div className="row row-apart">
        <div className="grow">
          <h3>{name}</h3>
          <p className="muted small">
            {plural(memberCount, 'member')} · {managerOf(group)}
          </p>
        </div>
        <SelectField
          label="Role of members"
          value={role ?? NONE}
          options={ROLES}
          onChange={(value) => changeRole.mutate(roleOf(value))}
          disabled={changeRole.isPending}
        />
      </div>
      <CopyField label="Principal" value={principal} />
      {changeRole.error ? <ErrorNotice error={changeRole.error} /> : null}
      <div className="row row-end">
        <Button onClick={onMembers}>Members</Button>
        {managedBy === 'admin' ? <Button onClick={onRename}>Rename</Button> : null}
        <Confirm label="Delete" question={`Delete ${name}?`} done={`${name} is deleted.`} mutation={remove}>
          <p>
            Within seconds, its members lose the role and what only this group may read.
            {managedBy === 'admin' ? '' : ' The identity provider can create the group again.'}
          </p>
        </Confirm>
      </div>
    </li>
  );
}
