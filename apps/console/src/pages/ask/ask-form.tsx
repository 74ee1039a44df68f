import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Draft } from '#pages/ask/use-draft.ts';
import { Button } from '#ui/button.tsx';

const MAX_LENGTH = 32_000;

/** The field for a question. Enter asks, Shift+Enter starts a new line, Escape stops the answer. */
export function AskForm({
  draft,
  isFollowUp,
  isAnswering,
  onAsk,
  onStop,
}: {
  readonly draft: Draft;
  readonly isFollowUp: boolean;
  readonly isAnswering: boolean;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);

  function ask() {
    const question = draft.text.trim();
    if (question !== '' && !isAnswering) onAsk(question);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && isAnswering) onStop();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    ask();
  }
  return (
    <form
      className="ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <textarea
        ref={field}
        aria-label="Your question"
        rows={1}
        value={draft.text}
        onChange={(event) => draft.change(event.target.value)}
        onKeyDown={onKeyDown}
        maxLength={MAX_LENGTH}
        placeholder={isFollowUp ? 'Ask a follow-up question' : 'Ask a question'}
        enterKeyHint="send"
      />
      {isAnswering ? (
        <Button onClick={onStop}>Stop</Button>
      ) : (
        <Button type="submit" isPrimary disabled={draft.text.trim() === ''}>
          Ask
        </Button>
      )}
    </form>
  );
}
