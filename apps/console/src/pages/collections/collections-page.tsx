import { Link, useLocation, useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { CollectionForm } from '#pages/collections/collection-form.tsx';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { RichText } from '#ui/rich-text.tsx';
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
      <PageHead title={t('collections.title')} intro={t('collections.intro')}>
        {canCreate ? (
          <Button isPrimary onClick={() => setIsCreating(true)}>
            {t('collections.new')}
          </Button>
        ) : null}
      </PageHead>
      <Listing
        paging={paging}
        what={t('collections.what.collections')}
        empty={<Empty title={t('collections.none')}>{canCreate ? <p>{t('collections.noneHint')}</p> : null}</Empty>}
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
                  <RichText
                    name="collections.summary"
                    count={collection.documentCount}
                    elements={{ ago: <Ago time={collection.createdAt} /> }}
                  />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('collections.new')} side="middle" isOpen={isCreating} onOpenChange={setIsCreating}>
        <CollectionForm onDone={({ id }) => navigate(`/collections/${id}`, { replace: true })} />
      </Sheet>
    </>
  );
}
