import { type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react';
import { isAskKey, isComposing } from '#pages/chat/keys.ts';
import type { Draft } from '#pages/chat/use-draft.ts';
import { t } from '#texts/texts.ts';
import { IconButton } from '#ui/icon-button.tsx';

export const MAX_QUESTION = 32_000;

/**
 * The field for a question. Enter asks, Shift+Enter starts a new line, Escape stops the answer.
 * `children` are further controls.
 */
export function Composer({
  field,
  draft,
  isFollowUp,
  isAnswering,
  onAsk,
  onStop,
  children,
}: {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly draft: Draft;
  readonly isFollowUp: boolean;
  readonly isAnswering: boolean;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    const { current } = field;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
  }, [field]);

  function ask() {
    const question = draft.text.trim();
    if (question !== '' && !isAnswering) onAsk(question);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && isAnswering && !isComposing(event)) onStop();
    if (!isAskKey(event)) return;
    event.preventDefault();
    ask();
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <textarea
        ref={field}
        aria-label={t('chat.yourQuestion')}
        rows={1}
        value={draft.text}
        onChange={(event) => draft.change(event.target.value)}
        onKeyDown={onKeyDown}
        maxLength={MAX_QUESTION}
        placeholder={t(isFollowUp ? 'chat.askFollowUp' : 'chat.askFirst')}
        enterKeyHint="send"
      />
      {children}
      {isAnswering ? (
        <IconButton icon="stop" label={t('chat.stop')} className="composer-send" onClick={onStop} />
      ) : (
        <IconButton
          icon="send"
          label={t('chat.ask')}
          type="submit"
          className="composer-send button-primary"
          disabled={draft.text.trim() === ''}
        />
      )}
    </form>
  );
}
