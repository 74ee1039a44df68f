import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInWithKey } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { RichText } from '#ui/rich-text.tsx';

async function checkKey(key: string): Promise<string> {
  const own = await lecternWith(key).keys.own();
  if (own.kind !== 'secret') throw new Error(t('session.publishableKey'));
  if (own.require_signature) throw new Error(t('session.keyMustSign'));
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
        label={t('session.secretKey')}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="lectern_sk_…"
        value={key}
        onChange={setKey}
        hint={t('session.secretKeyHint')}
        required
      />
      {attempt.error ? <ErrorNotice error={attempt.error} /> : null}
      <Button type="submit" isBusy={attempt.isPending} disabled={key.trim() === ''}>
        {t('session.signInWithKey')}
      </Button>
      <p className="muted small">
        <RichText name="session.keyHelp" elements={{ file: <code />, command: <code /> }} />
      </p>
    </form>
  );
}
