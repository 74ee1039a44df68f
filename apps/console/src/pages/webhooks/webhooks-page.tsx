import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Webhook, WebhookWithSecret } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { Deliveries } from '#pages/webhooks/deliveries.tsx';
import { RotateSecretForm } from '#pages/webhooks/rotate-secret-form.tsx';
import { WebhookForm } from '#pages/webhooks/webhook-form.tsx';
import { WebhookItem } from '#pages/webhooks/webhook-item.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The open dialog. */
type Open =
  | { readonly what: 'new' }
  | { readonly what: 'edit' | 'rotate' | 'deliveries'; readonly webhook: Webhook }
  | { readonly what: 'secret'; readonly webhook: WebhookWithSecret };

const REFRESH_MS = 5_000;

/** The webhooks of the team. */
export default function WebhooksPage() {
  const canManage = useAccess('admin', 'keys');
  const [open, setOpen] = useState<Open>();
  const paging = usePaged(['webhooks'], (page, options) => lectern().webhooks.list({ page, limit: 20 }, options), {
    enabled: canManage,
    // The state and the number of waiting events change at any time.
    refresh: { everyMs: REFRESH_MS, while: () => true },
  });
  if (!canManage) {
    return (
      <>
        <PageHead title={t('webhooks.title')} />
        <NoAccess action={t('webhooks.manage')} least="admin" right="keys" />
      </>
    );
  }
  const close = () => setOpen(undefined);
  const showSecret = (webhook: WebhookWithSecret | undefined) => setOpen(webhook && { what: 'secret', webhook });
  return (
    <>
      <PageHead title={t('webhooks.title')} intro={t('webhooks.intro')}>
        <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
          {t('webhooks.new')}
        </Button>
      </PageHead>
      <Listing
        paging={paging}
        what={t('webhooks.what.webhooks')}
        empty={
          <Empty title={t('webhooks.none')}>
            <p>{t('webhooks.noneHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                webhook={webhook}
                onEdit={() => setOpen({ what: 'edit', webhook })}
                onRotate={() => setOpen({ what: 'rotate', webhook })}
                onDeliveries={() => setOpen({ what: 'deliveries', webhook })}
              />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('webhooks.new')} isOpen={open?.what === 'new'} onOpenChange={close}>
        <WebhookForm onDone={showSecret} />
      </Sheet>
      <Sheet title={t('webhooks.editTitle')} isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <WebhookForm webhook={open.webhook} onDone={close} /> : null}
      </Sheet>
      <Sheet title={t('webhooks.rotateTitle')} side="middle" isOpen={open?.what === 'rotate'} onOpenChange={close}>
        {open?.what === 'rotate' ? <RotateSecretForm webhook={open.webhook} onDone={showSecret} /> : null}
      </Sheet>
      <Sheet title={t('webhooks.deliveries')} isOpen={open?.what === 'deliveries'} onOpenChange={close}>
        {open?.what === 'deliveries' ? <Deliveries webhook={open.webhook} /> : null}
      </Sheet>
      <Sheet
        title={t('webhooks.secretTitle')}
        description={t('webhooks.secretOnce')}
        side="middle"
        isOpen={open?.what === 'secret'}
        onOpenChange={close}
      >
        {open?.what === 'secret' ? (
          <>
            <CopyField label={t('webhooks.secret')} value={open.webhook.secret} />
            <p className="hint">{t('webhooks.secretHint')}</p>
          </>
        ) : null}
      </Sheet>
    </>
  );
}
