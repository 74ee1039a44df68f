import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { SearchModel } from '#api/types.ts';
import { ModelItem } from '#pages/models/model-item.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';

const PROGRESS_MS = 1_000;

const isRunning = ({ state }: SearchModel): boolean => state === 'downloading' || state === 'moving';

/** The embedding models that the team can choose. */
export default function ModelsPage() {
  const canChoose = useAccess('admin', 'documents:write');
  const models = useQuery({
    queryKey: ['search-models'],
    queryFn: ({ signal }) => lectern().searchModels.list({ signal }),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? PROGRESS_MS : false),
    enabled: canChoose,
  });
  if (!canChoose) {
    return (
      <>
        <PageHead title="Models" />
        <NoAccess action="change models" least="admin" right="documents:write" />
      </>
    );
  }
  return (
    <>
      <PageHead
        title="Models"
        intro="Embedding models compare the meaning of texts. Downloaded models run on this server."
      />
      <section className="stack" aria-labelledby="improve-search">
        <h2 id="improve-search">Improve search</h2>
        <QueryView query={models} what="models">
          {(items) => (
            <ul className="plain-list">
              {items.map((model) => (
                <ModelItem key={model.id} model={model} others={items} />
              ))}
            </ul>
          )}
        </QueryView>
        <p className="muted small">
          When you choose a model, Lectern downloads it and encodes all documents again in the background. Searches
          continue meanwhile: each document is found with the earlier model until it has moved. Collections with an
          embedding model of their own do not change.
        </p>
      </section>
    </>
  );
}
