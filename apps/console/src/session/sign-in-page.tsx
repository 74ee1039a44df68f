import { LecternError } from '@lectern/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { signOutReason, startSession } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import { setTitle, useBrandName } from '#branding/branding.ts';
import { KeyForm } from '#session/key-form.tsx';
import { PasskeyButton } from '#session/passkey-button.tsx';
import { offerAutofill } from '#session/passkeys.ts';
import { ProviderButtons } from '#session/provider-buttons.tsx';
import { t } from '#texts/texts.ts';

import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Logo } from '#ui/logo.tsx';

/** Why an attempt failed. The server writes in English. */
function SignInError({ error }: { readonly error: Error }) {
  if (!(error instanceof LecternError) || error.status !== 401) return <ErrorNotice error={error} />;
  return (
    <p className="notice notice-error" role="alert">
      {t('session.wrongPassword')}
    </p>
  );
}

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
  const name = useBrandName();
  useEffect(() => setTitle(t('session.signIn')), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    attempt.mutate();
  }

  return (
    <main className="centered">
      <div className="card sign-in">
        <Logo />
        <h1>{t('session.signInTo', { name })}</h1>
        {reason && !attempt.error ? <p className="notice notice-warn">{reason}</p> : null}
        <ProviderButtons>
          <p className="muted small">{t('session.orWithPassword')}</p>
        </ProviderButtons>
        <form className="stack" onSubmit={submit}>
          <TextField
            label={t('session.email')}
            type="email"
            autoComplete="username webauthn"
            value={email}
            onChange={setEmail}
            required
            autoFocus
          />
          <TextField
            label={t('session.password')}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            required
          />
          {attempt.error ? <SignInError error={attempt.error} /> : null}
          <Button type="submit" isPrimary isBusy={attempt.isPending} disabled={email.trim() === '' || password === ''}>
            {t('session.signIn')}
          </Button>
        </form>
        <PasskeyButton onSignIn={enter} />
        <p className="muted small">{t('session.noAccount')}</p>
        <details>
          <summary>{t('session.withKey')}</summary>
          <KeyForm />
        </details>
      </div>
    </main>
  );
}
