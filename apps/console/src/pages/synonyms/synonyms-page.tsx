import { PacksPanel } from '#pages/synonyms/packs-panel.tsx';
import { SynonymsPanel } from '#pages/synonyms/synonyms-panel.tsx';
import { useRole } from '#session/session.ts';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The synonyms of the team and the packs that ship with Lectern. */
export default function SynonymsPage() {
  const canSwitchPacks = useRole('editor');
  return (
    <>
      <PageHead title="Synonyms" intro="Searches treat these words as having the same meaning." />
      {canSwitchPacks ? (
        <TabSet
          label="Synonyms"
          tabs={[
            { name: 'Synonyms', content: <SynonymsPanel /> },
            { name: 'Packs', content: <PacksPanel /> },
          ]}
        />
      ) : (
        <SynonymsPanel />
      )}
    </>
  );
}
