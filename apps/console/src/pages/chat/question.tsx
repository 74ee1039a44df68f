import { useState } from 'react';
import { MAX_QUESTION } from '#pages/chat/composer.tsx';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';

/** A question in the thread. With `onAsk`, it can be edited and asked again. */
export function QuestionView({
  text,
  onAsk,
}: {
  readonly text: string;
  readonly onAsk?: ((question: string) => void) | undefined;
}) {
  const [edited, setEdited] = useState<string>();
  if (edited !== undefined && onAsk !== undefined) {
    return (
      <form
        className="card stack question-form"
        onSubmit={(event) => {
          event.preventDefault();
          setEdited(undefined);
          onAsk(edited.trim());
        }}
        onKeyDown={(event) => event.key === 'Escape' && setEdited(undefined)}
      >
        <textarea
          ref={(field) => field?.focus({ preventScroll: true })}
          aria-label="Edited question"
          rows={2}
          value={edited}
          maxLength={MAX_QUESTION}
          onChange={(event) => setEdited(event.target.value)}
        />
        <div className="row row-end">
          <Button onClick={() => setEdited(undefined)}>Cancel</Button>
          <Button type="submit" isPrimary disabled={edited.trim() === ''}>
            Ask again
          </Button>
        </div>
      </form>
    );
  }
  return (
    <div className="question">
      <h2 className="message-user">{text}</h2>
      {onAsk === undefined ? null : (
        <IconButton
          icon="edit"
          label="Edit question"
          className="icon-button icon-button-quiet"
          onClick={() => setEdited(text)}
        />
      )}
    </div>
  );
}
