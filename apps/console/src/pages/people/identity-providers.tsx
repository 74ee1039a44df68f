import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { IdentityProvider } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { IdentityProviderForm } from '#pages/people/identity-provider-form.tsx';
import { useRole } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The URLs that the admin registers at the provider. */
function Registration({ provider }: { readonly provider: IdentityProvider }) {
  const { redirectUri, postLogoutRedirectUri, backChannelLogoutUri, signInUrl } = provider;
  return (
    <div className="stack">
      <CopyField label="Redirect URI" value={redirectUri} />
      <CopyField label="Redirect URI after sign-out" value={postLogoutRedirectUri} />
      <CopyField label="Back-channel logout URI (optional)" value={backChannelLogoutUri} />
      <CopyField label="Sign-in URL for a tile (optional)" value={signInUrl} />
    </div>
  );
}

function accessOf({ domains, defaultRole }: IdentityProvider): string {
  return domains.length === 0 ? 'invited people only' : `${domains.join(', ')} as ${defaultRole}, and invited people`;
}

function ProviderItem({
  provider,
  onEdit,
  onUrls,
}: {
  readonly provider: IdentityProvider;
  readonly onEdit: () => void;
  readonly onUrls: () => void;
}) {
  const { id, name, issuer, allowsOwners, isFromSettings } = provider;
  const isOwner = useRole('owner');
  const canChange = !isFromSettings && (isOwner || !allowsOwners);
  const remove = useChange(
    () => lectern().client.call('deleteIdentityProvider', { path: { id } }),
    ['identity-providers'],
  );
  return (
    <li className="card stack">
      <div>
        <h3>{name}</h3>
        <p className="muted small">{issuer}</p>
        <p className="muted small">
          {accessOf(provider)}
          {isFromSettings ? ' · defined by the operator' : ''}
        </p>
      </div>
      <div className="row row-end">
        <Button onClick={onUrls}>URLs to register</Button>
        {canChange ? (
          <>
            <Button onClick={onEdit}>Edit</Button>
            <Confirm label="Delete" question={`Delete ${name}?`} done={`${name} is deleted.`} mutation={remove}>
              <p>People who signed in with it are signed out within seconds. Their accounts stay.</p>
            </Confirm>
          </>
        ) : null}
      </div>
    </li>
  );
}

/** The open dialog. */
type Open = { readonly what: 'new' } | { readonly what: 'edit' | 'urls'; readonly provider: IdentityProvider };

/** The identity providers with which people sign in. */
export function IdentityProviders() {
  const [open, setOpen] = useState<Open>();
  const providers = usePaged(['identity-providers'], (page, options) =>
    lectern().client.list('listIdentityProviders', { query: { page, limit: 20 } }, options),
  );
  const close = () => setOpen(undefined);
  return (
    <section className="stack" aria-label="Sign-in">
      <div className="row row-apart">
        <h2>Sign-in</h2>
        <Button onClick={() => setOpen({ what: 'new' })}>Add provider</Button>
      </div>
      <Listing
        paging={providers}
        what="identity providers"
        empty={
          <p className="muted">
            People sign in with a passkey or a password. Add your identity provider, for example Okta, Entra ID, Google
            or Keycloak, to let them sign in with their work account.
          </p>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((provider) => (
              <ProviderItem
                key={provider.id}
                provider={provider}
                onEdit={() => setOpen({ what: 'edit', provider })}
                onUrls={() => setOpen({ what: 'urls', provider })}
              />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet
        title="Add an identity provider"
        description="First create a web application with OpenID Connect at your provider. It gives you a client id and a client secret."
        isOpen={open?.what === 'new'}
        onOpenChange={close}
      >
        <IdentityProviderForm onDone={(provider) => setOpen({ what: 'urls', provider })} />
      </Sheet>
      <Sheet title="Edit the identity provider" isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <IdentityProviderForm provider={open.provider} onDone={close} /> : null}
      </Sheet>
      <Sheet
        title="Register these URLs"
        description="Enter them in the application at your provider. Then sign out and try the new button."
        side="middle"
        isOpen={open?.what === 'urls'}
        onOpenChange={close}
      >
        {open?.what === 'urls' ? <Registration provider={open.provider} /> : null}
      </Sheet>
    </section>
  );
}
