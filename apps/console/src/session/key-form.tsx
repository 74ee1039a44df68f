import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInWithKey } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';

async function checkKey(key: string): Promise<string> {
  const own = await lecternWith(key).keys.own();
  if (own.kind !== 'secret') throw new Error('This is a publishable key. Sign in with the secret key of the pair.');
  if (own.require_signature) throw new Error('This key requires signed requests, which the console does not support.');
  return key;
}

/** Signs in with a secret key, for operators. */
export function KeyForm() {
  const [key, setKey] = useState('');
  const attempt = useMutation({ mutationFn: checkKey, onSuccess: signInWithKey });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        attempt.mutate(key.trim());
      }}
    >
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
      />
      {attempt.error ? <ErrorNotice error={attempt.error} /> : null}
      <Button type="submit" isBusy={attempt.isPending} disabled={key.trim() === ''}>
        Sign in with key
      </Button>
      <p className="muted small">
        Lectern prints a key pair when it starts for the first time, and saves it in{' '}
        <code>.lectern/credentials.json</code>. To create another one, run{' '}
        <code>npx lectern keys create --team NAME</code>, or in a checkout{' '}
        <code>npm run keys -- create --team NAME</code>.
      </p>
    </form>
  );
}
