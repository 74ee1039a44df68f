import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { issueOf } from '#api/issue-of.ts';
import { startSession } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import type { AccountLink } from '#api/types.ts';
import { canUsePasskeys, createPasskey, deviceName, PASSKEYS_UNAVAILABLE } from '#session/passkeys.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { Loading } from '#ui/loading.tsx';
import { Logo } from '#ui/logo.tsx';

const TITLES = {
  owner: 'Create the owner account',
  invitation: 'Create your account',
  reset: 'Set a new password or passkey',
} as const;

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
  const isNew = link.purpose !== 'reset';
  const choosesEmail = link.email === null;
  const account = { ...(isNew ? { name } : {}), ...(choosesEmail ? { email } : {}) };
  function enter() {
    queryClient.clear();
    startSession();
    navigate(link.purpose === 'owner' ? '/welcome' : '/', { replace: true });
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
      <h1>{TITLES[link.purpose]}</h1>
      <p className="muted">
        Team {link.teamName}
        {link.email === null ? '' : ` · ${link.email}`}
      </p>
      <Form
        mutation={use}
        label={isNew ? 'Create account' : 'Set password'}
        isIncomplete={isUnnamed || password === ''}
      >
        {isNew ? (
          <TextField
            label="Your name"
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
            label="Email"
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
          label="Password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          hint="At least 12 characters. A sentence is easy to remember."
          error={issueOf(use.error, 'password')}
          required
        />
      </Form>
      {link.canUsePasskeys && canUsePasskeys() ? (
        <section className="stack" aria-label="Passkey">
          <p className="muted">
            Or use a passkey: your device checks your fingerprint, face or PIN, and there is no password to remember.
          </p>
          {useWithPasskey.error ? <ErrorNotice error={useWithPasskey.error} /> : null}
          <Button isBusy={useWithPasskey.isPending} disabled={isUnnamed} onClick={() => useWithPasskey.mutate()}>
            {isNew ? 'Create account with a passkey' : 'Set a passkey'}
          </Button>
        </section>
      ) : (
        <p className="muted small">{PASSKEYS_UNAVAILABLE}</p>
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
  return (
    <main className="centered">
      <div className="card sign-in">
        <Logo />
        {link.data ? <JoinForm key={token} link={link.data} token={token} /> : null}
        {link.isLoading ? <Loading what="the link" /> : null}
        {link.error ? (
          <>
            <h1>This link does not work</h1>
            <p>It was used, has expired or is incomplete. Ask an admin of your team for a new one.</p>
            <Button onClick={() => navigate('/', { replace: true })}>Go to sign-in</Button>
          </>
        ) : null}
      </div>
    </main>
  );
}
