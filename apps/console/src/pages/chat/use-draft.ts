import { useMemo, useState } from 'react';
import { draftsOf } from '#session/drafts.ts';
import { useSession } from '#session/session.ts';

export interface Draft {
  readonly text: string;
  change(text: string): void;
  /** Keeps a question until it is answered. Empties the field if it contains the question. */
  send(question: string): void;
  /** Forgets the answered question. A text typed since then moves to the place of the conversation. */
  finish(place: string): void;
}

/** Where a question is kept that is not answered yet. */
const sentTo = (place: string) => `${place}:sent`;

/**
 * The typed text of a place: a conversation, or a new question. Without one, the last question that
 * has no answer, for example because the connection was lost; otherwise `initial`.
 */
export function useDraft(place: string, initial: string): Draft {
  const { id, person } = useSession();
  const drafts = useMemo(() => draftsOf(person?.id ?? id), [person, id]);
  const open = () => ({ place, text: drafts.read(place) || drafts.read(sentTo(place)) || initial, isSent: false });
  const [draft, setDraft] = useState(open);
  if (draft.place !== place) setDraft(open());
  return {
    text: draft.text,
    change: (text) => {
      drafts.write(place, text);
      // The field contains the earlier question now.
      if (!draft.isSent) drafts.write(sentTo(place), '');
      setDraft({ ...draft, text });
    },
    send: (question) => {
      drafts.write(sentTo(place), question);
      const isTyped = draft.text.trim() === question.trim();
      if (isTyped) drafts.write(place, '');
      setDraft({ ...draft, text: isTyped ? '' : draft.text, isSent: true });
    },
    finish: (next) => {
      const typed = drafts.read(place);
      drafts.write(sentTo(place), '');
      drafts.write(place, '');
      drafts.write(next, typed);
    },
  };
}
