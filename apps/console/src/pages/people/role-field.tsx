import type { Role } from '#api/types.ts';
import { ROLES, useRole } from '#session/session.ts';
import { SelectField } from '#ui/field.tsx';

const LABELS: Readonly<Record<Role, string>> = {
  member: 'Member: search and chat',
  editor: 'Editor: also content',
  admin: 'Admin: also people and keys',
  owner: 'Owner: also other owners',
};

/** A choice of the roles that the user may give. */
export function RoleField({
  value,
  onChange,
  isDisabled = false,
}: {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly isDisabled?: boolean;
}) {
  const isOwner = useRole('owner');
  const roles = ROLES.filter((role) => isOwner || role !== 'owner' || value === 'owner');
  return (
    <SelectField
      label="Role"
      value={value}
      options={roles.map((role) => ({ value: role, label: LABELS[role] }))}
      onChange={(chosen) => onChange(ROLES.find((role) => role === chosen) ?? value)}
      disabled={isDisabled}
    />
  );
}
