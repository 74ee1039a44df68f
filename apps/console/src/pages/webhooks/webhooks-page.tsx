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

const INTRO = 'Lectern calls these addresses when documents, syncs, feedback or agent runs change.';
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
        <PageHead title="Webhooks" />
        <NoAccess action="manage webhooks" least="admin" right="keys" />
      </>
    );
  }
  const close = () => setOpen(undefined);
  const showSecret = (webhook: WebhookWithSecret | undefined) => setOpen(webhook && { what: 'secret', webhook });
  return (
    <>
      <PageHead title="Webhooks" intro={INTRO}>
        <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
          New webhook
        </Button>
      </PageHead>
      <Listing
        paging={paging}
        what="webhooks"
        empty={
          <Empty title="No webhooks yet">
            <p>Create a webhook so that another system does not have to ask for changes.</p>
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
      <Sheet title="New webhook" isOpen={open?.what === 'new'} onOpenChange={close}>
        <WebhookForm onDone={showSecret} />
      </Sheet>
      <Sheet title="Edit webhook" isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <WebhookForm webhook={open.webhook} onDone={close} /> : null}
      </Sheet>
      <Sheet title="Rotate secret" side="middle" isOpen={open?.what === 'rotate'} onOpenChange={close}>
        {open?.what === 'rotate' ? <RotateSecretForm webhook={open.webhook} onDone={showSecret} /> : null}
      </Sheet>
      <Sheet title="Deliveries" isOpen={open?.what === 'deliveries'} onOpenChange={close}>
        {open?.what === 'deliveries' ? <Deliveries webhook={open.webhook} /> : null}
      </Sheet>
      <Sheet
        title="The signing secret"
        description="Copy the secret now. It is not shown again."
        side="middle"
        isOpen={open?.what === 'secret'}
        onOpenChange={close}
      >
        {open?.what === 'secret' ? (
          <>
            <CopyField label="Secret" value={open.webhook.secret} />
            <p className="hint">The endpoint verifies with it that a request comes from Lectern.</p>
          </>
        ) : null}
      </Sheet>
    </>
  );
}
