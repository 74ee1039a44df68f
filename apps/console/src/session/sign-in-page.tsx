import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { signIn, signOutReason } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Logo } from '#ui/logo.tsx';

async function checkKey(key: string): Promise<string> {
  const own = await lecternWith(key).keys.own();
  if (own.kind !== 'secret') throw new Error('This is a publishable key. Sign in with the secret key of the pair.');
  if (own.require_signature) throw new Error('This key requires signed requests, which the console does not support.');
  return key;
}

/** The sign-in form. */
export function SignInPage() {
  const [key, setKey] = useState('');
  const attempt = useMutation({ mutationFn: checkKey, onSuccess: signIn });
  const reason = signOutReason();

  function submit(event: FormEvent) {
    event.preventDefault();
    attempt.mutate(key.trim());
  }

  return (
    <main className="centered">
      <form className="card sign-in" onSubmit={submit}>
        <Logo />
        <h1>Sign in to Lectern</h1>
        {reason && !attempt.error ? <p className="notice notice-warn">{reason}</p> : null}
        <TextField
          label="Secret key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder="lectern_sk_…"
          value={key}
          onChange={setKey}
          hint="Stored in this tab only and removed when you close it."
          required
          autoFocus
        />
        {attempt.error ? <ErrorNotice error={attempt.error} /> : null}
        <Button type="submit" isPrimary isBusy={attempt.isPending} disabled={key.trim() === ''}>
          Sign in
        </Button>
        <details>
          <summary>Where do I find a key?</summary>
          <p>
            Lectern prints a key pair when it starts for the first time, and saves it in{' '}
            <code>.lectern/credentials.json</code>. To create another one, run{' '}
            <code>npx lectern keys create --team NAME</code>, or in a checkout{' '}
            <code>npm run keys -- create --team NAME</code>.
          </p>
        </details>
      </form>
    </main>
  );
}
