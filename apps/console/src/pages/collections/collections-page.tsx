import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { callPage } from '#api/request.ts';
import type { Collection } from '#api/types.ts';
import { CollectionForm } from '#pages/collections/collection-form.tsx';
import { useSession } from '#session/session.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Pager } from '#ui/pager.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The collections that the key reaches. */
export default function CollectionsPage() {
  const [page, setPage] = useState(1);
  const [isMaking, setIsMaking] = useState(false);
  const [, navigate] = useLocation();
  // The API refuses it to a key of restricted scope.
  const mayCreate = useSession().allow_all_collections;
  const list = useQuery({
    queryKey: ['collections', 'list', page],
    queryFn: ({ signal }) =>
      callPage<readonly Collection[]>('GET', '/api/v1/collections', { query: { page, limit: 24 }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title="Collections" intro="Documents that belong together, and are searched and shared together.">
        {mayCreate ? (
          <Button isPrimary onClick={() => setIsMaking(true)}>
            New collection
          </Button>
        ) : null}
      </PageHead>
      {list.error ? <ErrorNotice error={list.error} onRetry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="collections" /> : null}
      {list.data?.items.length === 0 ? (
        <Empty title="There are no collections yet">
          {mayCreate ? <p>Make one, then upload files to it or connect a source.</p> : null}
        </Empty>
      ) : null}
      <ul className="cards">
        {list.data?.items.map((collection) => (
          <li className="card" key={collection.id}>
            <h2>
              <Link href={`/collections/${collection.id}`}>{collection.name}</Link>
            </h2>
            {collection.description ? <p>{collection.description}</p> : null}
            <p className="muted small">
              {collection.documentCount.toLocaleString()} documents · made <Ago time={collection.createdAt} />
            </p>
          </li>
        ))}
      </ul>
      {list.data ? <Pager meta={list.data.meta} onPage={setPage} /> : null}
      <Sheet title="New collection" side="middle" isOpen={isMaking} onOpenChange={setIsMaking}>
        <CollectionForm onDone={({ id }) => navigate(`/collections/${id}`)} />
      </Sheet>
    </>
  );
}
