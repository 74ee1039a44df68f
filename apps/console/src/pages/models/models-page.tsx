import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { SearchModel } from '#api/types.ts';
import { LanguageModels } from '#pages/models/language-models.tsx';
import { ModelEndpoints } from '#pages/models/model-endpoints.tsx';
import { ModelItem } from '#pages/models/model-item.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';

const PROGRESS_MS = 1_000;

const isRunning = ({ state }: SearchModel): boolean => state === 'downloading' || state === 'moving';

/** The embedding models that the team can choose. */
export default function ModelsPage() {
  const canChoose = useAccess('admin', 'documents:write');
  const canAdd = useAccess('admin', 'keys');
  const models = useQuery({
    queryKey: ['search-models'],
    queryFn: ({ signal }) => lectern().searchModels.list({ signal }),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? PROGRESS_MS : false),
    enabled: canChoose,
  });
  if (!canChoose) {
    return (
      <>
        <PageHead title={t('models.title')} />
        <NoAccess action={t('models.cannotChange')} least="admin" right="documents:write" />
      </>
    );
  }
  return (
    <>
      <PageHead title={t('models.title')} intro={t('models.intro')} />
      <section className="stack" aria-labelledby="language-models">
        <h2 id="language-models">{t('models.answers')}</h2>
        <LanguageModels />
        {canAdd ? <ModelEndpoints /> : null}
      </section>
      <section className="stack" aria-labelledby="improve-search">
        <h2 id="improve-search">{t('models.improveSearch')}</h2>
        <QueryView query={models} what={t('models.what')}>
          {(items) => (
            <ul className="plain-list">
              {items.map((model) => (
                <ModelItem key={model.id} model={model} others={items} />
              ))}
            </ul>
          )}
        </QueryView>
        <p className="muted small">{t('models.changeHelp')}</p>
      </section>
    </>
  );
}
