import { NewAgentBuilder } from '#pages/agents/agent-builder.tsx';
import { t } from '#texts/texts.ts';
import { PageHead } from '#ui/page-head.tsx';

/** Creates an agent. */
export default function NewAgentPage() {
  return (
    <>
      <PageHead
        title={t('agents.new')}
        parent={{ to: '/agents', label: t('agents.title') }}
        intro={t('agents.newIntro')}
      />
      <NewAgentBuilder />
    </>
  );
}
