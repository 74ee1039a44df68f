import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { lecternWith } from '#api/lectern.ts';
import type { Account } from '#api/types.ts';
import { PasskeyButton } from '#session/passkey-button.tsx';
import { ProviderButtons } from '#session/provider-buttons.tsx';
import { t } from '#texts/texts.ts';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

/** True if the session is new enough to change how the person signs in. */
export const isConfirmed = ({ confirmedUntil }: Account): boolean => Date.parse(confirmedUntil) > Date.now();

/** Asks the person to sign in again, which starts a new session. */
export function ConfirmPerson({ account }: { readonly account: Account }) {
  const [password, setPassword] = useState('');
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['account'] });
  const { email } = account.person;
  const confirm = useMutation({
    // A wrong password must not end the session, so this does not use the client of the session.
    mutationFn: async () => lecternWith().client.call('signIn', { body: { email, password } }),
    onSuccess: refresh,
  });
  return (
    <div className="stack">
      <p>{t('account.confirmAgain')}</p>
      {account.hasPassword ? (
        <Form mutation={confirm} label={t('account.continue')} isIncomplete={password === ''}>
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <TextField
            label={t('account.yourPassword')}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            required
          />
        </Form>
      ) : null}
      {account.passkeys.length > 0 ? <PasskeyButton onSignIn={refresh} /> : null}
      {account.hasPassword || account.passkeys.length > 0 ? null : <ProviderButtons />}
    </div>
  );
}
