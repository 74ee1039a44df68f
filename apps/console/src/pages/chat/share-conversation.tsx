import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Icon } from '#ui/icon.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** A button that opens a dialog which shares a conversation with the team, with its link. */
export function ShareConversation({ id, isShared }: { readonly id: string; readonly isShared: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const share = useChange((shared: boolean) => lectern().conversations.update(id, { shared }), ['conversations']);
  function changeOpen(willBeOpen: boolean) {
    share.reset();
    setIsOpen(willBeOpen);
  }
  // Everybody has Ask, but not Chat.
  const link = new URL(`/console/ask/${id}`, location.href).href;
  return (
    <>
      <Button onClick={() => changeOpen(true)}>
        <Icon name={isShared ? 'people' : 'share'} size={16} />
        {t(isShared ? 'chat.isShared' : 'chat.share')}
      </Button>
      <Sheet title={t('chat.shareTitle')} side="middle" isOpen={isOpen} onOpenChange={changeOpen}>
        <div className="stack">
          <p>{t('chat.shareEffect')}</p>
          {isShared ? <CopyField label={t('chat.sharedLink')} value={link} /> : null}
          {share.error ? <ErrorNotice error={share.error} /> : null}
          <div className="row row-end">
            <Button isPrimary={!isShared} isBusy={share.isPending} onClick={() => share.mutate(!isShared)}>
              {t(isShared ? 'chat.stopSharing' : 'chat.shareWithTeam')}
            </Button>
          </div>
        </div>
      </Sheet>
    </>
  );
}

/** A button with which editors stop the sharing of somebody else's conversation. */
export function StopSharing({ id }: { readonly id: string }) {
  const stop = useChange(() => lectern().conversations.update(id, { shared: false }), ['conversations']);
  return (
    <Confirm
      label={t('chat.stopSharing')}
      question={t('chat.stopSharingQuestion')}
      done={t('chat.sharingStopped')}
      mutation={stop}
    >
      <p>{t('chat.stopSharingEffect')}</p>
    </Confirm>
  );
}
