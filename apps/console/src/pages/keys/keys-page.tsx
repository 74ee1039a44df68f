import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { KeyPair, NewKeyPair } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { KeyForm } from '#pages/keys/key-form.tsx';
import { KeyItem } from '#pages/keys/key-item.tsx';
import { RotateForm } from '#pages/keys/rotate-form.tsx';
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
        <PageHead title={t('keys.title')} />
        <NoAccess action={t('keys.cannotManage')} least="admin" right="keys" />
      </>
    );
  }
  const close = () => setOpen(undefined);
  const show = (pair: NewKeyPair | undefined) => setOpen(pair && { what: 'created', pair });
  return (
    <>
      <PageHead title={t('keys.title')} intro={t('keys.intro')}>
        <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
          {t('keys.new')}
        </Button>
      </PageHead>
      <Listing
        paging={paging}
        what={t('keys.what')}
        empty={
          <Empty title={t('keys.none')}>
            <p>{t('keys.noneHint')}</p>
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
      <Sheet title={t('keys.new')} isOpen={open?.what === 'new'} onOpenChange={close}>
        <KeyForm onDone={show} />
      </Sheet>
      <Sheet title={t('keys.editTitle')} isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <KeyForm pair={open.pair} onDone={close} /> : null}
      </Sheet>
      <Sheet title={t('keys.rotateTitle')} side="middle" isOpen={open?.what === 'rotate'} onOpenChange={close}>
        {open?.what === 'rotate' ? <RotateForm pair={open.pair} onDone={show} /> : null}
      </Sheet>
      <Sheet
        title={t('keys.created')}
        description={t('keys.createdHint')}
        side="middle"
        isOpen={open?.what === 'created'}
        onOpenChange={close}
      >
        {open?.what === 'created' ? (
          <>
            <CopyField label={t('keys.secretKey')} value={open.pair.secretKey} />
            <CopyField label={t('keys.publishableKey')} value={open.pair.publishableKey} />
          </>
        ) : null}
      </Sheet>
    </>
  );
}
