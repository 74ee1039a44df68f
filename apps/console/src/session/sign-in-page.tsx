import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { signOutReason, startSession } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import { KeyForm } from '#session/key-form.tsx';
import { PasskeyButton } from '#session/passkey-button.tsx';
import { offerAutofill } from '#session/passkeys.ts';
import { ProviderButtons } from '#session/provider-buttons.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Logo } from '#ui/logo.tsx';

/** The sign-in page: an account, or a key for operators. */
export function SignInPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const queryClient = useQueryClient();
  function enter() {
    queryClient.clear();
    startSession();
  }
  const attempt = useMutation({
    mutationFn: async () => lecternWith().client.call('signIn', { body: { email, password } }),
    onSuccess: enter,
  });
  useEffect(
    () =>
      offerAutofill(() => {
        queryClient.clear();
        startSession();
      }),
    [queryClient],
  );
  const reason = signOutReason();

  function submit(event: FormEvent) {
    event.preventDefault();
    attempt.mutate();
  }

  return (
    <main className="centered">
      <div className="card sign-in">
        <Logo />
        <h1>Sign in to Lectern</h1>
        {reason && !attempt.error ? <p className="notice notice-warn">{reason}</p> : null}
        <ProviderButtons>
          <p className="muted small">Or with an email address and a password:</p>
        </ProviderButtons>
        <form className="stack" onSubmit={submit}>
          <TextField
            label="Email"
            type="email"
            autoComplete="username webauthn"
            value={email}
            onChange={setEmail}
            required
            autoFocus
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            required
          />
          {attempt.error ? <ErrorNotice error={attempt.error} /> : null}
          <Button type="submit" isPrimary isBusy={attempt.isPending} disabled={email.trim() === '' || password === ''}>
            Sign in
          </Button>
        </form>
        <PasskeyButton onSignIn={enter} />
        <p className="muted small">
          No account, or lost your password or passkey? Ask an admin of your team for a link.
        </p>
        <details>
          <summary>Sign in with a secret key</summary>
          <KeyForm />
        </details>
      </div>
    </main>
  );
}
