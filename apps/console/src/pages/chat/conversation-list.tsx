import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { groupByDay } from '#pages/chat/day-groups.ts';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { SelectField, TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';

interface ListProps {
  /** The page that opens conversations. */
  readonly base: string;
  readonly current: string | undefined;
  readonly onChoose?: () => void;
}

const LISTS = [
  { value: 'own', label: t('chat.yourQuestions') },
  { value: 'shared', label: t('chat.sharedQuestions') },
] as const;

/** The person's conversations by day, or those that the team shares, with a search in their titles. */
export function ConversationList(props: ListProps) {
  const { person } = useSession();
  const [text, setText] = useState('');
  const [isShared, setIsShared] = useState(false);
  const query = useDeferredValue(text.trim());
  return (
    <>
      {person === null ? null : (
        <SelectField
          label={t('chat.show')}
          value={isShared ? 'shared' : 'own'}
          options={LISTS}
          onChange={(value) => setIsShared(value === 'shared')}
        />
      )}
      <TextField
        label={t(isShared ? 'chat.searchShared' : 'chat.searchOwn')}
        type="search"
        value={text}
        onChange={setText}
        maxLength={200}
      />
      {/* A new search starts on its first page. */}
      <Conversations key={`${isShared} ${query}`} isShared={isShared} query={query} {...props} />
    </>
  );
}

function Conversations({
  isShared,
  query,
  base,
  current,
  onChoose,
}: ListProps & { readonly isShared: boolean; readonly query: string }) {
  const paging = usePaged(['conversations', 'history', isShared, query], (page, options) =>
    lectern().conversations.list(
      { page, limit: 30, ...(query === '' ? {} : { query }), ...(isShared ? { shared: true } : {}) },
      options,
    ),
  );
  const none = isShared ? 'chat.noneShared' : 'chat.noneOwn';
  return (
    <Listing
      paging={paging}
      what={t(isShared ? 'chat.what.shared' : 'chat.what.own')}
      empty={<p className="muted small">{t(query === '' ? none : 'chat.noMatch')}</p>}
    >
      {(items) =>
        groupByDay(items).map(({ day, items: inDay }) => (
          <section key={day} aria-label={day}>
            <h2 className="list-day">{day}</h2>
            <ul className="conversations">
              {inDay.map(({ id, title }) => (
                <li key={id}>
                  <Link
                    href={`${base}/${id}`}
                    title={title}
                    aria-current={id === current ? 'page' : undefined}
                    onClick={() => onChoose?.()}
                  >
                    {title || t('chat.untitled')}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))
      }
    </Listing>
  );
}
