import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { callPage } from '#api/request.ts';
import type { Agent } from '#api/types.ts';
import { AgentForm } from '#pages/agents/agent-form.tsx';
import { TemplateChoice } from '#pages/agents/template-choice.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Pager } from '#ui/pager.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The team's agents. */
export default function AgentsPage() {
  const [page, setPage] = useState(1);
  const [making, setMaking] = useState<'blank' | 'template'>();
  const [, navigate] = useLocation();
  const list = useQuery({
    queryKey: ['agents', 'list', page],
    queryFn: ({ signal }) =>
      callPage<readonly Agent[]>('GET', '/api/v1/agents', { query: { page, limit: 24 }, signal }),
    placeholderData: keepPreviousData,
  });
  const open = ({ id }: Agent) => navigate(`/agents/${id}`);
  return (
    <>
      <PageHead title="Agents" intro="Assistants with instructions, tools and collections of their own.">
        <Button onClick={() => setMaking('template')}>From a template</Button>
        <Button isPrimary onClick={() => setMaking('blank')}>
          New agent
        </Button>
      </PageHead>
      {list.error ? <ErrorNotice error={list.error} onRetry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="agents" /> : null}
      {list.data?.items.length === 0 ? (
        <Empty title="There are no agents yet">
          <p>A template is the quickest way to one.</p>
        </Empty>
      ) : null}
      <ul className="cards">
        {list.data?.items.map(({ id, name, description, tools }) => (
          <li className="card" key={id}>
            <h2>
              <Link href={`/agents/${id}`}>{name}</Link>
            </h2>
            {description ? <p>{description}</p> : null}
            <p className="muted small">{tools.length === 0 ? 'no tools' : tools.join(', ').replaceAll('_', ' ')}</p>
          </li>
        ))}
      </ul>
      {list.data ? <Pager meta={list.data.meta} onPage={setPage} /> : null}
      <Sheet title="New agent" isOpen={making === 'blank'} onOpenChange={() => setMaking(undefined)}>
        <AgentForm onDone={open} />
      </Sheet>
      <Sheet title="From a template" isOpen={making === 'template'} onOpenChange={() => setMaking(undefined)}>
        <TemplateChoice onDone={open} />
      </Sheet>
    </>
  );
}
