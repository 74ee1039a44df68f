import { PacksPanel } from '#pages/synonyms/packs-panel.tsx';
import { SynonymsPanel } from '#pages/synonyms/synonyms-panel.tsx';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The synonyms of the team and the packs that ship with Lectern. */
export default function SynonymsPage() {
  const canSwitchPacks = useRole('editor');
  return (
    <>
      <PageHead title={t('synonyms.title')} intro={t('synonyms.intro')} />
      {canSwitchPacks ? (
        <TabSet
          label={t('synonyms.title')}
          tabs={[
            { name: t('synonyms.title'), content: <SynonymsPanel /> },
            { name: t('synonyms.packs'), content: <PacksPanel /> },
          ]}
        />
      ) : (
        <SynonymsPanel />
      )}
    </>
  );
}
