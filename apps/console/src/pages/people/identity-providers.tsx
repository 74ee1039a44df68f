import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { IdentityProvider } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { IdentityProviderForm } from '#pages/people/identity-provider-form.tsx';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
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
      <CopyField label={t('people.providers.redirectUri')} value={redirectUri} />
      <CopyField label={t('people.providers.postLogoutRedirectUri')} value={postLogoutRedirectUri} />
      <CopyField label={t('people.providers.backChannelLogoutUri')} value={backChannelLogoutUri} />
      <CopyField label={t('people.providers.signInUrl')} value={signInUrl} />
    </div>
  );
}

function accessOf({ domains, defaultRole }: IdentityProvider): string {
  if (domains.length === 0) return t('people.providers.invitedOnly');
  const role = t(`account.roles.${defaultRole}`);
  return t('people.providers.domainsAndInvited', { domains: domains.join(', '), role });
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
          {isFromSettings ? ` · ${t('people.providers.fromSettings')}` : ''}
        </p>
      </div>
      <div className="row row-end">
        <Button onClick={onUrls}>{t('people.providers.urls')}</Button>
        {canChange ? (
          <>
            <Button onClick={onEdit}>{t('people.providers.edit')}</Button>
            <Confirm
              label={t('people.providers.delete')}
              question={t('people.providers.deleteQuestion', { name })}
              done={t('people.providers.deleted', { name })}
              mutation={remove}
            >
              <p>{t('people.providers.deleteEffect')}</p>
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
    <section className="stack" aria-label={t('people.providers.title')}>
      <div className="row row-apart">
        <h2>{t('people.providers.title')}</h2>
        <Button onClick={() => setOpen({ what: 'new' })}>{t('people.providers.add')}</Button>
      </div>
      <Listing
        paging={providers}
        what={t('people.providers.what')}
        empty={<p className="muted">{t('people.providers.none')}</p>}
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
        title={t('people.providers.addTitle')}
        description={t('people.providers.addHint')}
        isOpen={open?.what === 'new'}
        onOpenChange={close}
      >
        <IdentityProviderForm onDone={(provider) => setOpen({ what: 'urls', provider })} />
      </Sheet>
      <Sheet title={t('people.providers.editTitle')} isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <IdentityProviderForm provider={open.provider} onDone={close} /> : null}
      </Sheet>
      <Sheet
        title={t('people.providers.urlsTitle')}
        description={t('people.providers.urlsHint')}
        side="middle"
        isOpen={open?.what === 'urls'}
        onOpenChange={close}
      >
        {open?.what === 'urls' ? <Registration provider={open.provider} /> : null}
      </Sheet>
    </section>
  );
}
