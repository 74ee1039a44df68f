import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { groupByDay } from '#pages/chat/day-groups.ts';
import { TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';

interface ListProps {
  /** The page that opens conversations. */
  readonly base: string;
  readonly current: string | undefined;
  readonly onChoose?: () => void;
}

/** The person's conversations by day, with a search in their titles. */
export function ConversationList(props: ListProps) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  return (
    <>
      <TextField label="Search your questions" type="search" value={text} onChange={setText} maxLength={200} />
      {/* A new search starts on its first page. */}
      <Conversations key={query} query={query} {...props} />
    </>
  );
}

function Conversations({ query, base, current, onChoose }: ListProps & { readonly query: string }) {
  const paging = usePaged(['conversations', 'history', query], (page, options) =>
    lectern().conversations.list({ page, limit: 30, ...(query === '' ? {} : { query }) }, options),
  );
  return (
    <Listing
      paging={paging}
      what="your questions"
      empty={
        <p className="muted small">
          {query === '' ? 'Your questions will appear here.' : 'No question contains these words. Try fewer words.'}
        </p>
      }
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
                    {title || 'Untitled question'}
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
