import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Role } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { RoleField } from '#pages/people/role-field.tsx';
import { t } from '#texts/texts.ts';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

/** Invites a person. Calls `onDone` with the link. */
export function InvitationForm({ onDone }: { readonly onDone: (created: { readonly url: string }) => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useChange(() => lectern().people.invite({ email, role }), ['invitations'], onDone);
  return (
    <Form mutation={invite} label={t('people.invitations.create')} isIncomplete={email.trim() === ''}>
      <TextField
        label={t('people.email')}
        type="email"
        value={email}
        onChange={setEmail}
        error={issueOf(invite.error, 'email')}
        required
        autoFocus
      />
      <RoleField value={role} onChange={setRole} />
    </Form>
  );
}
