import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { callPage } from '#api/request.ts';
import type { Conversation } from '#api/types.ts';
import { useSession } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';

const STEP = 20;

/** The conversations, the last used first. */
export function ConversationList({ current }: { readonly current: string | undefined }) {
  const { teamId } = useSession();
  const [limit, setLimit] = useState(STEP);
  const list = useQuery({
    queryKey: ['conversations', limit],
    queryFn: ({ signal }) =>
      callPage<readonly Conversation[]>('GET', `/api/v1/teams/${teamId}/conversations`, { query: { limit }, signal }),
    placeholderData: keepPreviousData,
  });
  if (list.error) return <ErrorNotice error={list.error} onRetry={() => list.refetch()} />;
  if (list.data === undefined) return <Loading what="conversations" />;
  const { items, meta } = list.data;
  if (items.length === 0) return <p className="muted small">Your conversations will stand here.</p>;
  return (
    <>
      <ul className="conversations">
        {items.map(({ id, title }) => (
          <li key={id}>
            <Link href={`/chat/${id}`} aria-current={id === current ? 'page' : undefined}>
              {title || 'Untitled'}
            </Link>
          </li>
        ))}
      </ul>
      {meta.hasMore && limit < 100 ? (
        <Button onClick={() => setLimit((shown) => shown + STEP)}>Show more</Button>
      ) : null}
    </>
  );
}
