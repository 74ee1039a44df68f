import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { KeyPair, NewKeyPair } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { KeyForm } from '#pages/keys/key-form.tsx';
import { KeyItem } from '#pages/keys/key-item.tsx';
import { RotateForm } from '#pages/keys/rotate-form.tsx';
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
  | { readonly what: 'edit' | 'rotate'; readonly pair: KeyPair }
  | { readonly what: 'created'; readonly pair: NewKeyPair };

/** The key pairs of the team. */
export default function KeysPage() {
  const canManage = useAccess('admin', 'keys');
  const [open, setOpen] = useState<Open>();
  const paging = usePaged(['api-keys'], (page, options) => lectern().keys.list({ page, limit: 20 }, options), {
    enabled: canManage,
  });
  if (!canManage) {
    return (
      <>
        <PageHead title="Keys" />
        <NoAccess action="manage keys" least="admin" right="keys" />
      </>
    );
  }
  const close = () => setOpen(undefined);
  const show = (pair: NewKeyPair | undefined) => setOpen(pair && { what: 'created', pair });
  return (
    <>
      <PageHead title="Keys" intro="A key pair has a publishable key for web pages and a secret key for servers.">
        <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
          New key pair
        </Button>
      </PageHead>
      <Listing
        paging={paging}
        what="keys"
        empty={
          <Empty title="No keys yet">
            <p>Create a key pair for each application that uses the API.</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((pair) => (
              <KeyItem
                key={pair.id}
                pair={pair}
                onEdit={() => setOpen({ what: 'edit', pair })}
                onRotate={() => setOpen({ what: 'rotate', pair })}
              />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title="New key pair" isOpen={open?.what === 'new'} onOpenChange={close}>
        <KeyForm onDone={show} />
      </Sheet>
      <Sheet title="Edit key pair" isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <KeyForm pair={open.pair} onDone={close} /> : null}
      </Sheet>
      <Sheet title="Rotate key pair" side="middle" isOpen={open?.what === 'rotate'} onOpenChange={close}>
        {open?.what === 'rotate' ? <RotateForm pair={open.pair} onDone={show} /> : null}
      </Sheet>
      <Sheet
        title="Your new keys"
        description="Copy the keys now. They are not shown again."
        side="middle"
        isOpen={open?.what === 'created'}
        onOpenChange={close}
      >
        {open?.what === 'created' ? (
          <>
            <CopyField label="Secret key" value={open.pair.secretKey} />
            <CopyField label="Publishable key" value={open.pair.publishableKey} />
          </>
        ) : null}
      </Sheet>
    </>
  );
}
