import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { TemplateChoice } from '#pages/agents/template-choice.tsx';
import { toolText } from '#pages/agents/tools.ts';
import { WaitingRuns } from '#pages/approvals/waiting-runs.tsx';
import { useRole, useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The agents of the team. */
export default function AgentsPage() {
  const [usesTemplate, setUsesTemplate] = useState(false);
  const [, navigate] = useLocation();
  // A key with a limited scope can create agents too.
  const isPerson = useSession().person !== null;
  const mayEdit = useRole('editor');
  const canCreate = !isPerson || mayEdit;
  const paging = usePaged(['agents', 'list'], (page, options) => lectern().agents.list({ page, limit: 24 }, options));
  const open = ({ id }: { readonly id: string }) => navigate(`/agents/${id}`);
  return (
    <>
      <PageHead title={t('agents.title')} intro={t('agents.intro')}>
        {canCreate ? (
          <>
            <Button onClick={() => setUsesTemplate(true)}>{t('agents.useTemplate')}</Button>
            <Button isPrimary onClick={() => navigate('/agents/new')}>
              {t('agents.new')}
            </Button>
          </>
        ) : null}
      </PageHead>
      <WaitingRuns />
      <Listing
        paging={paging}
        what={t('agents.what.agents')}
        empty={<Empty title={t('agents.none')}>{canCreate ? <p>{t('agents.noneHint')}</p> : null}</Empty>}
      >
        {(items) => (
          <ul className="cards">
            {items.map(({ id, name, description, tools }) => (
              <li className="card" key={id}>
                <h2>
                  <Link href={`/agents/${id}`}>{name}</Link>
                </h2>
                {description ? <p>{description}</p> : null}
                <p className="muted small">
                  {tools.length === 0 ? t('agents.noTools') : tools.map(toolText).join(', ')}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('agents.newFromTemplate')} isOpen={usesTemplate} onOpenChange={setUsesTemplate}>
        <TemplateChoice onDone={open} />
      </Sheet>
    </>
  );
}
