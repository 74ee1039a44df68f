import type { Role } from '#api/types.ts';
import { ROLES, useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { SelectField } from '#ui/field.tsx';

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
      label={t('people.role')}
      value={value}
      options={roles.map((role) => ({ value: role, label: t(`people.roles.${role}`) }))}
      onChange={(chosen) => onChange(ROLES.find((role) => role === chosen) ?? value)}
      disabled={isDisabled}
    />
  );
}
