import type { Query, Schemas } from '@lectern/sdk';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { QuestionItem } from '#pages/questions/question-item.tsx';
import { PERIODS } from '#pages/usage/periods.ts';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Empty } from '#ui/empty.tsx';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';

const STATUSES = [
  { value: 'open', label: t('questions.statuses.open') },
  { value: 'done', label: t('questions.statuses.done') },
  { value: '', label: t('questions.statuses.all') },
];

const KINDS: readonly { readonly value: Schemas['QuestionKind'] | ''; readonly label: string }[] = [
  { value: '', label: t('questions.kinds.all') },
  { value: 'unanswered', label: t('questions.kinds.unanswered') },
  { value: 'low_confidence', label: t('questions.kinds.low_confidence') },
  { value: 'down_voted', label: t('questions.kinds.down_voted') },
];

/** Questions whose reply should be reviewed. */
export default function QuestionsPage() {
  const canReview = useAccess('admin', 'analytics');
  const [status, setStatus] = useState('open');
  const [kind, setKind] = useState<Schemas['QuestionKind'] | ''>('');
  const [period, setPeriod] = useState(PERIODS.at(-1) ?? PERIODS[0]);
  const [collection, setCollection] = useState('');
  const { data: collections = [] } = useCollections();
  const paging = usePaged(
    ['questions', status, kind, period.value, collection],
    (page, options) => {
      const query: Query<'listQuestions'> = {
        page,
        limit: 20,
        from: new Date(Date.now() - period.lengthMs).toISOString(),
        ...(status === '' ? {} : { done: status === 'done' }),
        ...(kind === '' ? {} : { kind }),
        ...(collection === '' ? {} : { collection }),
      };
      return lectern().questions.list(query, options);
    },
    { enabled: canReview },
  );
  if (!canReview) {
    return (
      <>
        <PageHead title={t('questions.title')} />
        <NoAccess action={t('questions.review')} least="admin" right="analytics" />
      </>
    );
  }
  const filter = (set: (value: string) => void) => (value: string) => {
    paging.setPage(1);
    set(value);
  };
  return (
    <>
      <PageHead title={t('questions.title')} intro={t('questions.intro')} />
      <div className="form-grid">
        <SelectField label={t('questions.status')} value={status} options={STATUSES} onChange={filter(setStatus)} />
        <SelectField
          label={t('questions.kind')}
          value={kind}
          options={KINDS}
          onChange={filter((chosen) => setKind(KINDS.find(({ value }) => value === chosen)?.value ?? ''))}
        />
        <SelectField
          label={t('questions.period')}
          value={period.value}
          options={PERIODS}
          onChange={filter((chosen) => setPeriod(PERIODS.find(({ value }) => value === chosen) ?? PERIODS[0]))}
        />
        <SelectField
          label={t('questions.askedIn')}
          value={collection}
          options={[
            { value: '', label: t('questions.anyCollection') },
            ...collections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={filter(setCollection)}
        />
      </div>
      <Listing
        paging={paging}
        what={t('questions.what')}
        empty={
          <Empty title={t(status === 'open' ? 'questions.noneOpen' : 'questions.noneMatching')}>
            {status === 'open' ? <p>{t('questions.noneOpenHint')}</p> : null}
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((question) => (
              <QuestionItem key={question.id} question={question} />
            ))}
          </ul>
        )}
      </Listing>
    </>
  );
}
