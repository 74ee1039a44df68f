import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { CollectionForm } from '#pages/collections/collection-form.tsx';
import { useSession } from '#session/session.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The collections that the key reaches. */
export default function CollectionsPage() {
  const [isMaking, setIsMaking] = useState(false);
  const [, navigate] = useLocation();
  // The API refuses it to a key of restricted scope.
  const mayCreate = useSession().allow_all_collections;
  const paging = usePaged(['collections', 'list'], (page, options) =>
    lectern().collections.list({ page, limit: 24 }, options),
  );
  return (
    <>
      <PageHead title="Collections" intro="Documents that belong together, and are searched and shared together.">
        {mayCreate ? (
          <Button isPrimary onClick={() => setIsMaking(true)}>
            New collection
          </Button>
        ) : null}
      </PageHead>
      <Listing
        paging={paging}
        what="collections"
        empty={
          <Empty title="There are no collections yet">
            {mayCreate ? <p>Make one, then upload files to it or connect a source.</p> : null}
          </Empty>
        }
      >
        {(items) => (
          <ul className="cards">
            {items.map((collection) => (
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
        )}
      </Listing>
      <Sheet title="New collection" side="middle" isOpen={isMaking} onOpenChange={setIsMaking}>
        <CollectionForm onDone={({ id }) => navigate(`/collections/${id}`)} />
      </Sheet>
    </>
  );
}
