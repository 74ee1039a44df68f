import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { AgentForm } from '#pages/agents/agent-form.tsx';
import { TemplateChoice } from '#pages/agents/template-choice.tsx';
import { WaitingRuns } from '#pages/approvals/waiting-runs.tsx';
import { useRole, useSession } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The agents of the team. */
export default function AgentsPage() {
  const [creating, setCreating] = useState<'blank' | 'template'>();
  const [, navigate] = useLocation();
  // A key with a limited scope can create agents too.
  const isPerson = useSession().person !== null;
  const mayEdit = useRole('editor');
  const canCreate = !isPerson || mayEdit;
  const paging = usePaged(['agents', 'list'], (page, options) => lectern().agents.list({ page, limit: 24 }, options));
  const open = ({ id }: { readonly id: string }) => navigate(`/agents/${id}`);
  return (
    <>
      <PageHead title="Agents" intro="Assistants with their own instructions, tools and collections.">
        {canCreate ? (
          <>
            <Button onClick={() => setCreating('template')}>Use a template</Button>
            <Button isPrimary onClick={() => setCreating('blank')}>
              New agent
            </Button>
          </>
        ) : null}
      </PageHead>
      <WaitingRuns />
      <Listing
        paging={paging}
        what="agents"
        empty={
          <Empty title="No agents yet">
            {canCreate ? <p>Create an agent from a template or from scratch.</p> : null}
          </Empty>
        }
      >
        {(items) => (
          <ul className="cards">
            {items.map(({ id, name, description, tools }) => (
              <li className="card" key={id}>
                <h2>
                  <Link href={`/agents/${id}`}>{name}</Link>
                </h2>
                {description ? <p>{description}</p> : null}
                <p className="muted small">{tools.length === 0 ? 'No tools' : tools.join(', ').replaceAll('_', ' ')}</p>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title="New agent" isOpen={creating === 'blank'} onOpenChange={() => setCreating(undefined)}>
        <AgentForm onDone={open} />
      </Sheet>
      <Sheet
        title="New agent from a template"
        isOpen={creating === 'template'}
        onOpenChange={() => setCreating(undefined)}
      >
        <TemplateChoice onDone={open} />
      </Sheet>
    </>
  );
}
