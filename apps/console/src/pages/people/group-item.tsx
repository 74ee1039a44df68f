import { lectern } from '#api/lectern.ts';
import type { Group } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';

const NONE = 'none';
const ROLES = [
  { value: NONE, label: t('people.groups.roles.none') },
  { value: 'editor', label: t('people.groups.roles.editor') },
  { value: 'admin', label: t('people.groups.roles.admin') },
];

const roleOf = (value: string): Group['role'] => (value === 'editor' || value === 'admin' ? value : null);

/** Who manages the group. */
function managerOf({ managedBy, source }: Group): string {
  if (managedBy === 'admin') return t('people.groups.managedBy.admin');
  return t(managedBy === 'scim' ? 'people.groups.managedBy.scim' : 'people.groups.managedBy.signIn', { source });
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
          <h2>{name}</h2>
          <p className="muted small">
            {t('people.groups.memberCount', { count: memberCount })} · {managerOf(group)}
          </p>
        </div>
        <SelectField
          label={t('people.groups.role')}
          value={role ?? NONE}
          options={ROLES}
          onChange={(value) => changeRole.mutate(roleOf(value))}
          disabled={changeRole.isPending}
        />
      </div>
      <CopyField label={t('people.groups.principal')} value={principal} />
      {changeRole.error ? <ErrorNotice error={changeRole.error} /> : null}
      <div className="row row-end">
        <Button onClick={onMembers}>{t('people.groups.members')}</Button>
        {managedBy === 'admin' ? <Button onClick={onRename}>{t('people.groups.rename')}</Button> : null}
        <Confirm
          label={t('people.groups.delete')}
          question={t('people.groups.deleteQuestion', { name })}
          done={t('people.groups.deleted', { name })}
          mutation={remove}
        >
          <p>{t(managedBy === 'admin' ? 'people.groups.deleteEffect' : 'people.groups.deleteEffectProvider')}</p>
        </Confirm>
      </div>
    </li>
  );
}
