import { useState } from 'react';
import { useDrafts } from '#session/use-drafts.ts';

export interface Draft {
  readonly text: string;
  change(text: string): void;
  /**
   * Empties the field if it contains the question, and keeps the question until the returned function
   * is called with true. Called with false, that function keeps it again.
   */
  send(question: string): (isSafe: boolean) => void;
  /** Moves the typed text to the place of the conversation that has started. */
  moveTo(place: string): void;
}

/** Where a question is kept that is not answered yet. */
const sentTo = (place: string) => `${place}:sent`;

/**
 * The typed text of a place: a conversation, or a new question. Without one, the last question that
 * has no answer, for example because the connection was lost; otherwise `initial`.
 */
export function useDraft(place: string, initial: string): Draft {
  const drafts = useDrafts();
  const open = () => {
    const typed = drafts.read(place);
    const sent = drafts.read(sentTo(place));
    return { place, text: typed || sent || initial, showsSent: typed === '' && sent !== '' };
  };
  const [draft, setDraft] = useState(open);
  if (draft.place !== place) setDraft(open());
  return {
    text: draft.text,
    change: (text) => {
      drafts.write(place, text);
      // The earlier question is typed text now.
      if (draft.showsSent) drafts.write(sentTo(place), '');
      setDraft({ place, text, showsSent: false });
    },
    send: (question) => {
      const text = draft.text.trim() === question.trim() ? '' : draft.text;
      drafts.write(place, text);
      drafts.write(sentTo(place), question);
      setDraft({ place, text, showsSent: false });
      return (isSafe) => {
        if (!isSafe) drafts.write(sentTo(place), question);
        else if (drafts.read(sentTo(place)) === question) drafts.write(sentTo(place), '');
      };
    },
    moveTo: (next) => {
      if (next === place) return;
      const typed = drafts.read(place);
      drafts.write(place, '');
      drafts.write(next, typed);
    },
  };
}
