import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Sheet } from '#ui/sheet.tsx';

const MAX_TITLE = 200;

/** A button that opens a dialog with the title of a conversation. */
export function RenameConversation({ id, title }: { readonly id: string; readonly title: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState(title);
  const rename = useChange(
    () => lectern().conversations.update(id, { title: text.trim() }),
    ['conversations'],
    () => setIsOpen(false),
  );
  function changeOpen(willBeOpen: boolean) {
    rename.reset();
    setText(title);
    setIsOpen(willBeOpen);
  }
  return (
    <>
      <IconButton icon="edit" label={t('chat.rename')} onClick={() => changeOpen(true)} />
      <Sheet title={t('chat.renameTitle')} side="middle" isOpen={isOpen} onOpenChange={changeOpen}>
        <Form mutation={rename} label={t('chat.rename')} isIncomplete={text.trim() === ''}>
          <TextField label={t('chat.title')} value={text} onChange={setText} maxLength={MAX_TITLE} required />
        </Form>
      </Sheet>
    </>
  );
}
