import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Person } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { ConnectedApps } from '#pages/people/connected-apps.tsx';
import { Groups } from '#pages/people/groups.tsx';
import { IdentityProviders } from '#pages/people/identity-providers.tsx';
import { InvitationForm } from '#pages/people/invitation-form.tsx';
import { InvitationItem } from '#pages/people/invitation-item.tsx';
import { PersonItem } from '#pages/people/person-item.tsx';
import { ScimTokens } from '#pages/people/scim-tokens.tsx';
import { SessionList } from '#pages/people/session-list.tsx';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The open dialog. */
type Open =
  | { readonly what: 'invite' }
  | { readonly what: 'link'; readonly url: string }
  | { readonly what: 'sessions'; readonly person: Person };

/** The accounts and the open invitations. */
function Accounts({
  onLink,
  onSessions,
}: {
  readonly onLink: (created: { readonly url: string }) => void;
  readonly onSessions: (person: Person) => void;
}) {
  const people = usePaged(['people'], (page, options) => lectern().people.list({ page, limit: 20 }, options));
  const invitations = usePaged(['invitations'], (page, options) =>
    lectern().people.invitations({ page, limit: 20 }, options),
  );
  return (
    <div className="stack">
      <Listing
        paging={people}
        what={t('people.what')}
        empty={
          <Empty title={t('people.accounts.none')}>
            <p>{t('people.accounts.inviteHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((person) => (
              <PersonItem key={person.id} person={person} onLink={onLink} onSessions={() => onSessions(person)} />
            ))}
          </ul>
        )}
      </Listing>
      <section className="stack" aria-label={t('people.invitations.title')}>
        <h2>{t('people.invitations.title')}</h2>
        <Listing
          paging={invitations}
          what={t('people.invitations.what')}
          empty={<p className="muted">{t('people.invitations.none')}</p>}
        >
          {(items) => (
            <ul className="plain-list">
              {items.map((invitation) => (
                <InvitationItem key={invitation.id} invitation={invitation} onLink={onLink} />
              ))}
            </ul>
          )}
        </Listing>
      </section>
    </div>
  );
}

/** The people of the team, their groups, and how they sign in. */
export default function PeoplePage() {
  const canManage = useRole('admin');
  const [open, setOpen] = useState<Open>();
  if (!canManage) {
    return (
      <>
        <PageHead title={t('people.title')} />
        <Empty title={t('session.cannot.person', { action: t('people.access') })}>
          <p>{t('session.ask.admin')}</p>
        </Empty>
      </>
    );
  }
  const close = () => setOpen(undefined);
  const showLink = ({ url }: { readonly url: string }) => setOpen({ what: 'link', url });
  return (
    <>
      <PageHead title={t('people.title')} intro={t('people.intro')}>
        <Button isPrimary onClick={() => setOpen({ what: 'invite' })}>
          {t('people.invitations.invite')}
        </Button>
      </PageHead>
      <TabSet
        label={t('people.title')}
        tabs={[
          {
            name: t('people.tabs.accounts'),
            content: <Accounts onLink={showLink} onSessions={(person) => setOpen({ what: 'sessions', person })} />,
          },
          { name: t('people.tabs.groups'), content: <Groups /> },
          { name: t('people.tabs.signIn'), content: <IdentityProviders /> },
          { name: 'SCIM', content: <ScimTokens /> },
          { name: t('people.tabs.apps'), content: <ConnectedApps /> },
        ]}
      />
      <Sheet
        title={t('people.invitations.inviteTitle')}
        side="middle"
        isOpen={open?.what === 'invite'}
        onOpenChange={close}
      >
        <InvitationForm onDone={showLink} />
      </Sheet>
      <Sheet
        title={t('people.invitations.linkTitle')}
        description={t('people.invitations.linkHint')}
        side="middle"
        isOpen={open?.what === 'link'}
        onOpenChange={close}
      >
        {open?.what === 'link' ? <CopyField label={t('people.invitations.link')} value={open.url} /> : null}
      </Sheet>
      <Sheet title={t('people.sessions.title')} isOpen={open?.what === 'sessions'} onOpenChange={close}>
        {open?.what === 'sessions' ? <SessionList person={open.person} /> : null}
      </Sheet>
    </>
  );
}
