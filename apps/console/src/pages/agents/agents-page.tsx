import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { AgentForm } from '#pages/agents/agent-form.tsx';
import { TemplateChoice } from '#pages/agents/template-choice.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The team's agents. */
export default function AgentsPage() {
  const [making, setMaking] = useState<'blank' | 'template'>();
  const [, navigate] = useLocation();
  const paging = usePaged(['agents', 'list'], (page, options) => lectern().agents.list({ page, limit: 24 }, options));
  const open = ({ id }: { readonly id: string }) => navigate(`/agents/${id}`);
  return (
    <>
      <PageHead title="Agents" intro="Assistants with instructions, tools and collections of their own.">
        <Button onClick={() => setMaking('template')}>From a template</Button>
        <Button isPrimary onClick={() => setMaking('blank')}>
          New agent
        </Button>
      </PageHead>
      <Listing
        paging={paging}
        what="agents"
        empty={
          <Empty title="There are no agents yet">
            <p>A template is the quickest way to one.</p>
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
                <p className="muted small">{tools.length === 0 ? 'no tools' : tools.join(', ').replaceAll('_', ' ')}</p>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title="New agent" isOpen={making === 'blank'} onOpenChange={() => setMaking(undefined)}>
        <AgentForm onDone={open} />
      </Sheet>
      <Sheet title="From a template" isOpen={making === 'template'} onOpenChange={() => setMaking(undefined)}>
        <TemplateChoice onDone={open} />
      </Sheet>
    </>
  );
}
