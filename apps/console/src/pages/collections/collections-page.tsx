import { Link, useLocation, useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { CollectionForm } from '#pages/collections/collection-form.tsx';
import { useRole } from '#session/session.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { plural } from '#ui/plural.ts';
import { Sheet } from '#ui/sheet.tsx';

/** The collections that the key can access. */
export default function CollectionsPage() {
  // A link can open the form.
  const [params, setParams] = useSearchParams();
  const isCreating = params.has('new');
  const setIsCreating = (isOpen: boolean) => setParams(isOpen ? { new: '' } : {}, { replace: true });
  const [, navigate] = useLocation();
  // Only keys with access to all collections can create collections.
  const canCreate = useRole('editor');
  const paging = usePaged(['collections', 'list'], (page, options) =>
    lectern().collections.list({ page, limit: 24 }, options),
  );
  return (
    <>
      <PageHead title="Collections" intro="Groups of documents that are searched and shared together.">
        {canCreate ? (
          <Button isPrimary onClick={() => setIsCreating(true)}>
            New collection
          </Button>
        ) : null}
      </PageHead>
      <Listing
        paging={paging}
        what="collections"
        empty={
          <Empty title="No collections yet">
            {canCreate ? <p>Create a collection, then upload files or connect a source.</p> : null}
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
                  {plural(collection.documentCount, 'document')} · created <Ago time={collection.createdAt} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title="New collection" side="middle" isOpen={isCreating} onOpenChange={setIsCreating}>
        <CollectionForm onDone={({ id }) => navigate(`/collections/${id}`, { replace: true })} />
      </Sheet>
    </>
  );
}
