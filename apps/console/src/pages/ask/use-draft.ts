import { useMemo, useState } from 'react';
import { draftsOf } from '#session/drafts.ts';
import { useSession } from '#session/session.ts';

export interface Draft {
  readonly text: string;
  change(text: string): void;
  /** Empties the field. The question is kept for a reload until it is answered. */
  send(): void;
  /** Forgets an answered question. A text typed since then moves to the place of the conversation. */
  finish(question: string, place: string): void;
}

/** The typed text of a place: a conversation, or a new question. `initial` is the text without a draft. */
export function useDraft(place: string, initial: string): Draft {
  const { id, person } = useSession();
  const drafts = useMemo(() => draftsOf(person?.id ?? id), [person, id]);
  const open = () => ({ place, text: drafts.read(place) || initial });
  const [draft, setDraft] = useState(open);
  if (draft.place !== place) setDraft(open());
  return {
    text: draft.text,
    change: (text) => {
      drafts.write(place, text);
      setDraft({ place, text });
    },
    send: () => setDraft({ place, text: '' }),
    finish: (question, next) => {
      const typed = drafts.read(place);
      drafts.write(place, '');
      drafts.write(next, typed === question ? '' : typed);
    },
  };
}
