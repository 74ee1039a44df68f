import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { signOut } from '#api/key-store.ts';
import { lectern } from '#api/lectern.ts';
import type { AppRequest } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { destinationText, ScopeList } from '#ui/app-access.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Logo } from '#ui/logo.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { RichText } from '#ui/rich-text.tsx';

/** Who publishes the app. A registered name proves nothing, so a person must be able to see that. */
function Publisher({ request: { publisher, destination } }: { readonly request: AppRequest }) {
  if (publisher !== null) {
    const { kind, name } = destination;
    return (
      <>
        <p className="muted small">
          <RichText name="connect.publishedBy" values={{ publisher }} elements={{ strong: <strong /> }} />
        </p>
        {kind === 'web' ? null : <p className="notice notice-warn">{t('connect.notWeb')}</p>}
        {kind === 'web' && name !== publisher ? (
          <p className="notice notice-warn">{t('connect.otherSite', { site: name })}</p>
        ) : null}
      </>
    );
  }
  return (
    <p className="notice notice-warn">
      {destination.kind === 'web' ? t('connect.unknownSite', { site: destination.name }) : t('connect.unknownApp')}
    </p>
  );
}

/** The browser has left for the app. An installed app opens next to this page. */
function Done({ target }: { readonly target: string }) {
  return (
    <div role="status">
      <h1>{t('connect.continue')}</h1>
      <p>{t('connect.canClose')}</p>
      <p>
        <a href={target} rel="noreferrer">
          {t('connect.open')}
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
        <h1>{t('connect.cannotConnect', { name })}</h1>
        <p className="notice notice-error" role="alert">
          {problem} {t('connect.report')}
        </p>
        <p>
          <RichText
            name="connect.returnTo"
            values={{ destination: destinationText(destination) }}
            elements={{ strong: <strong /> }}
          />
        </p>
        {answer.error ? <ErrorNotice error={answer.error} /> : null}
        <Button isBusy={isBusy} onClick={() => answer.mutate(false)}>
          {t('connect.return')}
        </Button>
      </>
    );
  }
  return (
    <>
      <h1>{t('connect.title', { name })}</h1>
      <p>
        <RichText
          name="connect.wants"
          values={{ name, person: person.name, email: person.email }}
          elements={{ strong: <strong /> }}
        />
      </p>
      <ScopeList scopes={scopes} />
      <p>
        <RichText
          name="connect.continueTo"
          values={{ destination: destinationText(destination) }}
          elements={{ strong: <strong /> }}
        />
      </p>
      <Publisher request={request} />
      {answer.error ? <ErrorNotice error={answer.error} /> : null}
      <div className="row row-end">
        <Button disabled={isBusy} onClick={() => answer.mutate(false)}>
          {t('connect.deny')}
        </Button>
        <Button isPrimary isBusy={isBusy} disabled={!isArmed} onClick={() => answer.mutate(true)}>
          {t('connect.allow')}
        </Button>
      </div>
      <p className="muted small">{t('connect.canDisconnect')}</p>
    </>
  );
}

function AsPerson({ children }: { readonly children: ReactNode }) {
  if (useSession().person !== null) return children;
  return (
    <Empty title={t('connect.keyCannot')}>
      <p>{t('connect.keyCannotHint')}</p>
      <Button isPrimary onClick={() => signOut()}>
        {t('connect.signOut')}
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
      <>
        <h1>{t('connect.noRequest')}</h1>
        <p>{t('connect.noRequestHint')}</p>
      </>
    );
  }
  return (
    <QueryView query={request} title={t('connect.heading')} what={t('connect.what')}>
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
