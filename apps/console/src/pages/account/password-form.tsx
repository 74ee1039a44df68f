import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern, lecternWith } from '#api/lectern.ts';
import type { Account } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ConfirmPerson, isConfirmed } from '#pages/account/confirm-person.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { Sheet } from '#ui/sheet.tsx';

const AFFECTED = ['account', 'own-sessions'];

function NewPasswordField({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}) {
  return (
    <TextField
      label={t('account.password.new')}
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={onChange}
      hint={t('account.password.hint')}
      error={error}
      required
    />
  );
}

function ChangePassword({ email, onDone }: { readonly email: string; readonly onDone: () => void }) {
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const change = useChange(
    // A wrong password must not end the session, so this does not use the client of the session.
    async () => lecternWith().client.call('changePassword', { body: { email, password, newPassword } }),
    AFFECTED,
    onDone,
  );
  return (
    <Form
      mutation={change}
      done={t('account.password.changed')}
      label={t('account.password.change')}
      isIncomplete={password === '' || newPassword === ''}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <TextField
        label={t('account.password.current')}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
      />
      <NewPasswordField value={newPassword} onChange={setNewPassword} error={issueOf(change.error, 'newPassword')} />
    </Form>
  );
}

function AddPassword({ email, onDone }: { readonly email: string; readonly onDone: () => void }) {
  const [password, setPassword] = useState('');
  const add = useChange(() => lectern().client.call('addPassword', { body: { password } }), AFFECTED, onDone);
  return (
    <Form
      mutation={add}
      done={t('account.password.added')}
      label={t('account.password.add')}
      isIncomplete={password === ''}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <NewPasswordField value={password} onChange={setPassword} error={issueOf(add.error, 'password')} />
    </Form>
  );
}

/** Changes the password, or adds one to an account with passkeys only. */
export function PasswordForm({ account }: { readonly account: Account }) {
  const [isOpen, setIsOpen] = useState(false);
  const { email } = account.person;
  const close = () => setIsOpen(false);
  const label = t(account.hasPassword ? 'account.password.change' : 'account.password.add');
  const canAdd = account.hasPassword || isConfirmed(account);
  const Change = account.hasPassword ? ChangePassword : AddPassword;
  return (
    <section className="stack" aria-labelledby="account-password">
      <div className="row row-apart">
        <h2 id="account-password">{t('account.password.title')}</h2>
        <Button onClick={() => setIsOpen(true)}>{label}</Button>
      </div>
      <p className="muted">{t(account.hasPassword ? 'account.password.changeEffect' : 'account.password.none')}</p>
      <Sheet title={label} side="middle" isOpen={isOpen} onOpenChange={setIsOpen}>
        {canAdd ? <Change email={email} onDone={close} /> : <ConfirmPerson account={account} />}
      </Sheet>
    </section>
  );
}
