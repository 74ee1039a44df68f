import type { Body } from '@lectern/sdk';
import { useId, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { FeedbackReason, ReplyFeedback } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { IconButton } from '#ui/icon-button.tsx';

const REASONS: readonly { readonly value: FeedbackReason; readonly label: string }[] = [
  { value: 'wrong', label: 'It is wrong' },
  { value: 'incomplete', label: 'Something is missing' },
  { value: 'outdated', label: 'It is out of date' },
  { value: 'not_found', label: 'It missed an answer in the documents' },
  { value: 'wrong_source', label: 'The sources do not support it' },
  { value: 'unclear', label: 'It is hard to understand' },
  { value: 'other', label: 'Something else' },
];

interface Place {
  readonly conversationId: string;
  readonly messageId: string;
}

/** The reader's rating of an answer. A second click on the same button removes it. */
export function Feedback({ feedback, ...place }: Place & { readonly feedback: ReplyFeedback | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const { conversationId, messageId } = place;
  const change = useChange(
    async (rating: ReplyFeedback['rating'] | undefined) => {
      const { conversations } = lectern();
      if (rating === undefined) await conversations.deleteFeedback(conversationId, messageId);
      else await conversations.giveFeedback(conversationId, messageId, { rating });
    },
    ['conversations'],
    (_result, rating) => setIsOpen(rating === 'down'),
  );
  const toggle = (rating: ReplyFeedback['rating']) => change.mutate(feedback?.rating === rating ? undefined : rating);
  return (
    <>
      <fieldset className="row" aria-label="Did this answer help you?">
        <IconButton
          icon="up"
          label="This answer helped"
          isQuiet
          aria-pressed={feedback?.rating === 'up'}
          onClick={() => toggle('up')}
        />
        <IconButton
          icon="down"
          label="This answer did not help"
          isQuiet
          aria-pressed={feedback?.rating === 'down'}
          onClick={() => toggle('down')}
        />
        {feedback?.rating === 'down' && !isOpen ? (
          <Button onClick={() => setIsOpen(true)}>{feedback.reason === null ? 'Add a reason' : 'Edit reason'}</Button>
        ) : null}
      </fieldset>
      <span role="status" className="muted small">
        {feedback !== null && change.isSuccess && !isOpen ? 'Thank you.' : ''}
      </span>
      {change.error ? <ErrorNotice error={change.error} /> : null}
      {isOpen && feedback?.rating === 'down' ? (
        <Reason {...place} feedback={feedback} onDone={() => setIsOpen(false)} />
      ) : null}
    </>
  );
}

function Reason({
  conversationId,
  messageId,
  feedback,
  onDone,
}: Place & { readonly feedback: ReplyFeedback; readonly onDone: () => void }) {
  const name = useId();
  const [reason, setReason] = useState(feedback.reason);
  const [comment, setComment] = useState(feedback.comment ?? '');
  const save = useChange(
    () => {
      const body: Body<'giveFeedback'> = {
        rating: 'down',
        ...(reason === null ? {} : { reason }),
        ...(comment.trim() === '' ? {} : { comment }),
      };
      return lectern().conversations.giveFeedback(conversationId, messageId, body);
    },
    ['conversations'],
    onDone,
  );
  return (
    <div className="feedback-form">
      <Form mutation={save} label="Send" isCard actions={<Button onClick={onDone}>Close</Button>}>
        <fieldset>
          <legend>What was wrong?</legend>
          {REASONS.map(({ value, label }) => (
            <label key={value} className="checkbox">
              <input type="radio" name={name} checked={reason === value} onChange={() => setReason(value)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <TextArea
          label="Comment"
          hint="Optional. The people who manage Lectern in your team can read it."
          rows={2}
          maxLength={2_000}
          value={comment}
          onChange={setComment}
        />
      </Form>
    </div>
  );
}
