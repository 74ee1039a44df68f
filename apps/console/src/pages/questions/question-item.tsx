import type { Schemas } from '@lectern/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { Prose } from '#pages/chat/prose.tsx';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

type Question = Schemas['Question'];

/** A question with its reply, sources and feedback. */
export function QuestionItem({ question }: { readonly question: Question }) {
  const { id, kinds, content, sources, feedback, withheld, testCaseId, createdAt, doneAt } = question;
  const [opened, setOpened] = useState<Opened>();
  const addCase = useChange(() => {
    const { collections } = question;
    return lectern().testCases.create({ question: question.question, collections, messageId: id });
  }, ['questions', 'test-cases']);
  const mark = useChange(() => lectern().questions.update(id, { done: doneAt === null }), ['questions']);
  const reasons = feedback.filter(({ rating }) => rating === 'down');
  return (
    <li className="card stack">
      <div className="row row-apart">
        <h2 className="grow">{question.question}</h2>
        <div className="row">
          {kinds.map((kind) => (
            <StatusBadge
              key={kind}
              status={kind === 'low_confidence' ? 'medium' : 'failed'}
              label={t(`questions.kindBadges.${kind}`)}
            />
          ))}
        </div>
      </div>
      {withheld ? <p className="muted">{content}</p> : <Prose text={content} />}
      {sources.length === 0 ? null : (
        <ol className="sources" aria-label={t('questions.sources')}>
          {sources.map(({ id: documentId, title, excerpt }) => (
            <li key={documentId}>
              <button
                type="button"
                className="link-button"
                onClick={() => setOpened({ id: documentId, title, quote: excerpt })}
              >
                {title}
              </button>
            </li>
          ))}
        </ol>
      )}
      {reasons.length === 0 ? null : (
        <ul className="sources" aria-label={t('questions.feedback')}>
          {reasons.map(({ reason, comment, updatedAt }) => (
            <li key={`${updatedAt} ${reason} ${comment}`}>
              {[reason === null ? t('questions.ratedDown') : t(`questions.reasons.${reason}`), comment]
                .filter(Boolean)
                .join(': ')}
            </li>
          ))}
        </ul>
      )}
      <div className="row row-apart">
        <p className="muted small">
          <RichText
            name={doneAt === null ? 'questions.asked' : 'questions.askedAndDone'}
            elements={{ asked: <Ago time={createdAt} />, done: <Ago time={doneAt} /> }}
          />
        </p>
        <div className="row">
          {testCaseId === null ? (
            <Button isBusy={addCase.isPending} onClick={() => addCase.mutate()}>
              {t('questions.makeTestCase')}
            </Button>
          ) : (
            <Link href={`/test-cases?case=${testCaseId}`}>{t('questions.editTestCase')}</Link>
          )}
          <Button isBusy={mark.isPending} onClick={() => mark.mutate()}>
            {t(doneAt === null ? 'questions.markAsDone' : 'questions.reopen')}
          </Button>
        </div>
      </div>
      {addCase.error ? <ErrorNotice error={addCase.error} /> : null}
      {mark.error ? <ErrorNotice error={mark.error} /> : null}
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </li>
  );
}
