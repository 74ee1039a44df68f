import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { signOut } from '#api/key-store.ts';
import { lectern } from '#api/lectern.ts';
import type { AppRequest } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { useSession } from '#session/session.ts';
import { destinationText, ScopeList } from '#ui/app-access.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Logo } from '#ui/logo.tsx';
import { QueryView } from '#ui/query-view.tsx';

/** Who publishes the app. A registered name proves nothing, so a person must be able to see that. */
function Publisher({ request: { publisher, destination } }: { readonly request: AppRequest }) {
  if (publisher !== null) {
    const { kind, name } = destination;
    return (
      <>
        <p className="muted small">
          Published by <strong>{publisher}</strong>.
        </p>
        {kind === 'web' ? null : (
          <p className="notice notice-warn">
            Other programs on this device can pretend to be this app. Allow it only if you have just started to connect
            it.
          </p>
        )}
        {kind === 'web' && name !== publisher ? (
          <p className="notice notice-warn">
            Its publisher sends you to another site, {name}. Allow it only if you trust both.
          </p>
        ) : null}
      </>
    );
  }
  return (
    <p className="notice notice-warn">
      Lectern cannot check who made this app. Allow it only if you have just connected it yourself
      {destination.kind === 'web' ? ` and trust ${destination.name}` : ''}.
    </p>
  );
}

/** The browser has left for the app. An installed app opens next to this page. */
function Done({ target }: { readonly target: string }) {
  return (
    <div role="status">
      <h1>Continue in the app</h1>
      <p>You can close this page. If the app does not open, try again.</p>
      <p>
        <a href={target} rel="noreferrer">
          Open the app
        </a>
      </p>
    </div>
  );
}

/** Longer than between the two clicks of a double click. */
const ARMING_MS = 600;

/**
 * True once the page was in front of the person for a moment. Another site can make somebody click twice,
 * and show this page between the clicks.
 */
function useArmed(): boolean {
  const [isArmed, setIsArmed] = useState(false);
  useEffect(() => {
    let timer: number | undefined;
    const arm = () => {
      clearTimeout(timer);
      setIsArmed(false);
      timer = window.setTimeout(() => setIsArmed(true), ARMING_MS);
    };
    arm();
    addEventListener('focus', arm);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', arm);
    };
  }, []);
  return isArmed;
}

function Consent({ query, request }: { readonly query: string; readonly request: AppRequest }) {
  const { name, destination, scopes, problem, person } = request;
  const [target, setTarget] = useState<string>();
  const isArmed = useArmed();
  const answer = useChange(
    (approve: boolean) =>
      lectern().client.call('answerAppRequest', { body: { request: query, personId: person.id, approve } }),
    [],
    ({ redirectTo }) => {
      setTarget(redirectTo);
      // The page with the request must not be in the history: going back would ask again.
      location.replace(redirectTo);
    },
  );
  if (target !== undefined) return <Done target={target} />;
  const isBusy = answer.isPending;
  if (problem !== null) {
    return (
      <>
        <h1>{name} cannot be connected</h1>
        <p className="notice notice-error" role="alert">
          {problem} Report this to the developer of the app.
        </p>
        <p>
          You return to <strong>{destinationText(destination)}</strong>.
        </p>
        {answer.error ? <ErrorNotice error={answer.error} /> : null}
        <Button isBusy={isBusy} onClick={() => answer.mutate(false)}>
          Return to the app
        </Button>
      </>
    );
  }
  return (
    <>
      <h1>Connect {name}?</h1>
      <p>
        <strong>{name}</strong> wants to use Lectern as {person.name} ({person.email}). It may:
      </p>
      <ScopeList scopes={scopes} />
      <p>
        You continue to <strong>{destinationText(destination)}</strong>. Text of your documents goes there.
      </p>
      <Publisher request={request} />
      {answer.error ? <ErrorNotice error={answer.error} /> : null}
      <div className="row row-end">
        <Button disabled={isBusy} onClick={() => answer.mutate(false)}>
          Deny
        </Button>
        <Button isPrimary isBusy={isBusy} disabled={!isArmed} onClick={() => answer.mutate(true)}>
          Allow
        </Button>
      </div>
      <p className="muted small">You can disconnect it at any time on the page of your account.</p>
    </>
  );
}

function AsPerson({ children }: { readonly children: ReactNode }) {
  if (useSession().person !== null) return children;
  return (
    <Empty title="A key cannot connect apps">
      <p>An app acts for a person. Sign out, and sign in as a person.</p>
      <Button isPrimary onClick={() => signOut()}>
        Sign out
      </Button>
    </Empty>
  );
}

function Request() {
  // The page never changes its own URL, and an answer must be for what was shown.
  const [query] = useState(() => location.search.slice(1));
  const request = useQuery({
    queryKey: ['app-request', query],
    queryFn: async ({ signal }) => lectern().client.call('checkAppRequest', { body: { request: query } }, { signal }),
    enabled: query !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (query === '') {
    return (
      <Empty title="No app asks for access">
        <p>Connect Lectern in the settings of your assistant, with the address of this server and /mcp.</p>
      </Empty>
    );
  }
  return (
    <QueryView query={request} what="the app">
      {(found) => <Consent query={query} request={found} />}
    </QueryView>
  );
}

/** The page on which a person gives an app access to their account (OAuth 2.1). */
export default function ConnectPage() {
  return (
    <main className="centered">
      <div className="card sign-in">
        <Logo />
        <AsPerson>
          <Request />
        </AsPerson>
      </div>
    </main>
  );
}
