import type { Query, Schemas } from '@lectern/sdk';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { QuestionItem } from '#pages/questions/question-item.tsx';
import { PERIODS } from '#pages/usage/periods.ts';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { Empty } from '#ui/empty.tsx';
import { SelectField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';

const STATUSES = [
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
  { value: '', label: 'All' },
];

const KINDS: readonly { readonly value: Schemas['QuestionKind'] | ''; readonly label: string }[] = [
  { value: '', label: 'All' },
  { value: 'unanswered', label: 'Unanswered' },
  { value: 'low_confidence', label: 'Low confidence' },
  { value: 'down_voted', label: 'Rated down' },
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
        <PageHead title="Questions" />
        <NoAccess action="review questions" least="admin" right="analytics" />
      </>
    );
  }
  const filter = (set: (value: string) => void) => (value: string) => {
    paging.setPage(1);
    set(value);
  };
  return (
    <>
      <PageHead title="Questions" intro="Questions without an answer, with low confidence, or rated down." />
      <div className="form-grid">
        <SelectField label="Status" value={status} options={STATUSES} onChange={filter(setStatus)} />
        <SelectField
          label="Kind"
          value={kind}
          options={KINDS}
          onChange={filter((chosen) => setKind(KINDS.find(({ value }) => value === chosen)?.value ?? ''))}
        />
        <SelectField
          label="Period"
          value={period.value}
          options={PERIODS}
          onChange={filter((chosen) => setPeriod(PERIODS.find(({ value }) => value === chosen) ?? PERIODS[0]))}
        />
        <SelectField
          label="Asked in"
          value={collection}
          options={[
            { value: '', label: 'Any collection' },
            ...collections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={filter(setCollection)}
        />
      </div>
      <Listing
        paging={paging}
        what="questions"
        empty={
          <Empty title={status === 'open' ? 'No open questions' : 'No matching questions'}>
            {status === 'open' ? <p>Questions appear here when a reply does not help.</p> : null}
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
