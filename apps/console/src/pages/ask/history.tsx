import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { groupByDay } from '#pages/ask/day-groups.ts';
import { TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** A panel with the person's conversations by day, and a search in their titles. */
export function History({
  current,
  isOpen,
  onOpenChange,
}: {
  readonly current: string | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}) {
  return (
    <Sheet title="Your questions" isOpen={isOpen} onOpenChange={onOpenChange}>
      <Content current={current} onChoose={() => onOpenChange(false)} />
    </Sheet>
  );
}

function Content({ current, onChoose }: { readonly current: string | undefined; readonly onChoose: () => void }) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  return (
    <>
      <TextField label="Search your questions" type="search" value={text} onChange={setText} maxLength={200} />
      {/* A new search starts on its first page. */}
      <Conversations key={query} query={query} current={current} onChoose={onChoose} />
    </>
  );
}

function Conversations({
  query,
  current,
  onChoose,
}: {
  readonly query: string;
  readonly current: string | undefined;
  readonly onChoose: () => void;
}) {
  const paging = usePaged(['conversations', 'history', query], (page, options) =>
    lectern().conversations.list({ page, limit: 30, ...(query === '' ? {} : { query }) }, options),
  );
  return (
    <Listing
      paging={paging}
      what="your questions"
      empty={
        <p className="muted">
          {query === '' ? 'Your questions will appear here.' : 'No question contains these words. Try fewer words.'}
        </p>
      }
    >
      {(items) =>
        groupByDay(items).map(({ day, items: inDay }) => (
          <section key={day} aria-label={day}>
            <h3 className="small muted">{day}</h3>
            <ul className="conversations">
              {inDay.map(({ id, title }) => (
                <li key={id}>
                  <Link href={`/ask/${id}`} onClick={onChoose} aria-current={id === current ? 'page' : undefined}>
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
