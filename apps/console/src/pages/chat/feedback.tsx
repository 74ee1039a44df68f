import type { Body } from '@lectern/sdk';
import { useId, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { FeedbackReason, ReplyFeedback } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { IconButton } from '#ui/icon-button.tsx';

const REASONS = [
  'wrong',
  'incomplete',
  'outdated',
  'not_found',
  'wrong_source',
  'unclear',
  'other',
] as const satisfies readonly FeedbackReason[];

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
      <fieldset className="row" aria-label={t('chat.feedback.question')}>
        <IconButton
          icon="up"
          label={t('chat.feedback.up')}
          isQuiet
          aria-pressed={feedback?.rating === 'up'}
          onClick={() => toggle('up')}
        />
        <IconButton
          icon="down"
          label={t('chat.feedback.down')}
          isQuiet
          aria-pressed={feedback?.rating === 'down'}
          onClick={() => toggle('down')}
        />
        {feedback?.rating === 'down' && !isOpen ? (
          <Button onClick={() => setIsOpen(true)}>
            {t(feedback.reason === null ? 'chat.feedback.addReason' : 'chat.feedback.editReason')}
          </Button>
        ) : null}
      </fieldset>
      <span role="status" className="muted small">
        {feedback !== null && change.isSuccess && !isOpen ? t('chat.feedback.thanks') : ''}
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
      <Form
        mutation={save}
        label={t('chat.feedback.send')}
        isCard
        actions={<Button onClick={onDone}>{t('ui.close')}</Button>}
      >
        <fieldset>
          <legend>{t('chat.feedback.whatWasWrong')}</legend>
          {REASONS.map((value) => (
            <label key={value} className="checkbox">
              <input type="radio" name={name} checked={reason === value} onChange={() => setReason(value)} />
              <span>{t(`chat.feedback.reasons.${value}`)}</span>
            </label>
          ))}
        </fieldset>
        <TextArea
          label={t('chat.feedback.comment')}
          hint={t('chat.feedback.commentHint')}
          rows={2}
          maxLength={2_000}
          value={comment}
          onChange={setComment}
        />
      </Form>
    </div>
  );
}
