import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { issueOf } from '#api/issue-of.ts';
import { startSession } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import type { AccountLink } from '#api/types.ts';
import { loadBranding, setTitle, showBranding } from '#branding/branding.ts';
import { canUsePasskeys, createPasskey, deviceName } from '#session/passkeys.ts';
import { t } from '#texts/texts.ts';

import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { Loading } from '#ui/loading.tsx';
import { Logo } from '#ui/logo.tsx';

/** The token of the link. It is in the fragment, which browsers do not send to servers. */
const tokenInUrl = () => location.hash.slice(1);

/** Opening a second link in the same tab changes only the fragment. */
function onTokenChange(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

function JoinForm({ link, token }: { readonly link: AccountLink; readonly token: string }) {
  const [, navigate] = useLocation();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  useEffect(() => {
    showBranding(link.branding);
    setTitle(t(`session.titles.${link.purpose}`));
  }, [link]);
  const isNew = link.purpose !== 'reset';
  const choosesEmail = link.email === null;
  const account = { ...(isNew ? { name } : {}), ...(choosesEmail ? { email } : {}) };
  function enter() {
    queryClient.clear();
    startSession();
    navigate('/', { replace: true });
  }
  const use = useMutation({
    mutationFn: async () => lecternWith().client.call('useAccountLink', { body: { token, password, ...account } }),
    onSuccess: enter,
  });
  const useWithPasskey = useMutation({
    mutationFn: async () => {
      const { client } = lecternWith();
      const { options } = await client.call('startLinkPasskey', { body: { token, ...account } });
      const passkey = await createPasskey(options, deviceName());
      return client.call('useAccountLink', { body: { token, passkey, ...account } });
    },
    onSuccess: enter,
  });
  const issueWith = (path: string) => issueOf(use.error, path) ?? issueOf(useWithPasskey.error, path);
  const isUnnamed = (isNew && name.trim() === '') || (choosesEmail && email.trim() === '');
  return (
    <>
      <h1>{t(`session.titles.${link.purpose}`)}</h1>
      <p className="muted">
        {t('session.team', { name: link.teamName })}
        {link.email === null ? '' : ` · ${link.email}`}
      </p>
      <Form
        mutation={use}
        label={isNew ? t('session.createAccount') : t('session.setPassword')}
        isIncomplete={isUnnamed || password === ''}
      >
        {isNew ? (
          <TextField
            label={t('session.yourName')}
            autoComplete="name"
            value={name}
            onChange={setName}
            error={issueWith('name')}
            required
            autoFocus
          />
        ) : null}
        {choosesEmail ? (
          <TextField
            label={t('session.email')}
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            error={issueWith('email')}
            required
          />
        ) : (
          // Lets password managers store the address.
          <input type="hidden" name="username" autoComplete="username" value={link.email ?? ''} />
        )}
        <TextField
          label={t('session.password')}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          hint={t('session.passwordHint')}
          error={issueOf(use.error, 'password')}
          required
        />
      </Form>
      {link.canUsePasskeys && canUsePasskeys() ? (
        <section className="stack" aria-label={t('session.passkey')}>
          <p className="muted">{t('session.orPasskey')}</p>
          {useWithPasskey.error ? <ErrorNotice error={useWithPasskey.error} /> : null}
          <Button isBusy={useWithPasskey.isPending} disabled={isUnnamed} onClick={() => useWithPasskey.mutate()}>
            {isNew ? t('session.createWithPasskey') : t('session.setPasskey')}
          </Button>
        </section>
      ) : (
        <p className="muted small">{t('session.passkeysUnavailable')}</p>
      )}
    </>
  );
}

/** The page of a link that creates an account or sets a new password. */
export default function JoinPage() {
  const token = useSyncExternalStore(onTokenChange, tokenInUrl);
  const [, navigate] = useLocation();
  const link = useQuery({
    queryKey: ['account-link', token.slice(-6)],
    queryFn: async ({ signal }) => lecternWith().client.call('openAccountLink', { body: { token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useEffect(() => {
    // A link that does not work belongs to no team.
    if (link.isError) void loadBranding(false);
  }, [link.isError]);
  return (
    <main className="centered">
      <div className="card sign-in">
        <Logo />
        {link.data ? <JoinForm key={token} link={link.data} token={token} /> : null}
        {link.isLoading ? <Loading what={t('ui.what.link')} /> : null}
        {link.error ? (
          <>
            <h1>{t('session.brokenLink')}</h1>
            <p>{t('session.brokenLinkReason')}</p>
            <Button onClick={() => navigate('/', { replace: true })}>{t('session.toSignIn')}</Button>
          </>
        ) : null}
      </div>
    </main>
  );
}
