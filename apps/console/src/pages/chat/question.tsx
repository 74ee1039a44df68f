import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_QUESTION } from '#pages/chat/composer.tsx';
import { isAskKey, isComposing } from '#pages/chat/keys.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';

/** A question in the thread. With `onAsk`, it can be edited, and asked again when no answer is being written. */
export function QuestionView({
  text,
  isAnswering,
  onAsk,
}: {
  readonly text: string;
  readonly isAnswering: boolean;
  readonly onAsk?: ((question: string) => void) | undefined;
}) {
  const [isEditing, setIsEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  // The form stays when `onAsk` is removed, because it can contain typed text.
  if (isEditing) {
    return (
      <EditForm
        text={text}
        onAsk={isAnswering ? undefined : onAsk}
        onClose={() => {
          flushSync(() => setIsEditing(false));
          editButton.current?.focus({ preventScroll: true });
        }}
      />
    );
  }
  return (
    <div className="question">
      <h2 className="message-user">{text}</h2>
      {onAsk === undefined ? null : (
        <IconButton
          ref={editButton}
          icon="edit"
          label={t('chat.editQuestion')}
          isQuiet
          onClick={() => setIsEditing(true)}
        />
      )}
    </div>
  );
}

function EditForm({
  text,
  onAsk,
  onClose,
}: {
  readonly text: string;
  readonly onAsk: ((question: string) => void) | undefined;
  readonly onClose: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [edited, setEdited] = useState(text);
  const question = edited.trim();
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  function ask() {
    if (question === '' || onAsk === undefined) return;
    onClose();
    onAsk(question);
  }
  function onFieldKey(event: KeyboardEvent) {
    if (!isAskKey(event)) return;
    event.preventDefault();
    ask();
  }
  return (
    <form
      className="card stack question-form"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
      onKeyDown={(event) => event.key === 'Escape' && !isComposing(event) && onClose()}
    >
      <textarea
        ref={field}
        aria-label={t('chat.editedQuestion')}
        rows={2}
        value={edited}
        maxLength={MAX_QUESTION}
        onChange={(event) => setEdited(event.target.value)}
        onKeyDown={onFieldKey}
        enterKeyHint="send"
      />
      <div className="row row-end">
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <Button type="submit" isPrimary disabled={question === '' || onAsk === undefined}>
          {t('chat.askAgain')}
        </Button>
      </div>
    </form>
  );
}
