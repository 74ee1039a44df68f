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
        what="people"
        empty={
          <Empty title="No accounts yet">
            <p>Invite people to let them sign in without a key.</p>
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
      <section className="stack" aria-label="Open invitations">
        <h2>Open invitations</h2>
        <Listing paging={invitations} what="invitations" empty={<p className="muted">No open invitations.</p>}>
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
        <PageHead title="People" />
        <Empty title="You cannot manage people">
          <p>Only admins and owners can. Ask one of them.</p>
        </Empty>
      </>
    );
  }
  const close = () => setOpen(undefined);
  const showLink = ({ url }: { readonly url: string }) => setOpen({ what: 'link', url });
  return (
    <>
      <PageHead title="People" intro="Who can sign in, and what they may do.">
        <Button isPrimary onClick={() => setOpen({ what: 'invite' })}>
          Invite
        </Button>
      </PageHead>
      <TabSet
        label="People"
        tabs={[
          {
            name: 'Accounts',
            content: <Accounts onLink={showLink} onSessions={(person) => setOpen({ what: 'sessions', person })} />,
          },
          { name: 'Groups', content: <Groups /> },
          { name: 'Sign-in', content: <IdentityProviders /> },
          { name: 'SCIM', content: <ScimTokens /> },
          { name: 'Connected apps', content: <ConnectedApps /> },
        ]}
      />
      <Sheet title="Invite a person" side="middle" isOpen={open?.what === 'invite'} onOpenChange={close}>
        <InvitationForm onDone={showLink} />
      </Sheet>
      <Sheet
        title="Send this link"
        description="It works once and is not shown again. Lectern sends no emails."
        side="middle"
        isOpen={open?.what === 'link'}
        onOpenChange={close}
      >
        {open?.what === 'link' ? <CopyField label="Link" value={open.url} /> : null}
      </Sheet>
      <Sheet title="Sessions" isOpen={open?.what === 'sessions'} onOpenChange={close}>
        {open?.what === 'sessions' ? <SessionList person={open.person} /> : null}
      </Sheet>
    </>
  );
}
