import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import { LanguageForm } from '#pages/account/language-form.tsx';
import { NameForm } from '#pages/account/name-form.tsx';
import { OwnApps } from '#pages/account/own-apps.tsx';
import { OwnSessions } from '#pages/account/own-sessions.tsx';
import { PasskeyList } from '#pages/account/passkey-list.tsx';
import { PasswordForm } from '#pages/account/password-form.tsx';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Empty } from '#ui/empty.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';

function Account() {
  const account = useQuery({
    queryKey: ['account'],
    queryFn: async ({ signal }) => lectern().client.call('getAccount', {}, { signal }),
  });
  return (
    <QueryView query={account} what={t('ui.what.account')}>
      {(own) => (
        <div className="stack sections">
          <NameForm person={own.person} />
          <LanguageForm language={own.language} />
          <PasskeyList account={own} />
          <PasswordForm account={own} />
          <OwnApps />
          <OwnSessions />
        </div>
      )}
    </QueryView>
  );
}

/** The name of the person, the ways to sign in, the connected apps, and the browsers that are signed in. */
export default function AccountPage() {
  const { person } = useSession();
  return (
    <>
      <PageHead
        title={t('account.title')}
        intro={person === null ? undefined : `${person.email} · ${t(`account.roles.${person.effectiveRole}`)}`}
      />
      {person === null ? (
        <Empty title={t('account.keyHasNone')}>
          <p>{t('account.signInAsPerson')}</p>
        </Empty>
      ) : (
        <Account />
      )}
    </>
  );
}
