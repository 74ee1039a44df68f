import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useSession } from '#session/session.ts';
import { Icon } from '#ui/icon.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { QueryView } from '#ui/query-view.tsx';

/** Which parts of the set-up are done. */
async function readProgress(signal: AbortSignal) {
  const first = { page: 1, limit: 1 };
  const [collections, conversations, people, invitations] = await Promise.all([
    lectern().collections.list({ page: 1, limit: 100 }, { signal }),
    lectern().conversations.list(first, { signal }),
    lectern().people.list(first, { signal }),
    lectern().people.invitations(first, { signal }),
  ]);
  const hasDocuments = collections.items.some(({ documentCount }) => documentCount > 0);
  return { hasDocuments, hasAsked: conversations.total > 0, hasPeople: people.total + invitations.total > 1 };
}

function Step({
  isDone,
  to,
  label,
  children,
}: {
  readonly isDone: boolean;
  readonly to: string;
  readonly label: string;
  readonly children: string;
}) {
  return (
    <li className="card row">
      <Icon name={isDone ? 'check' : 'chevron'} />
      <div className="grow">
        <h2>
          <Link href={to}>{label}</Link>
          {isDone ? <span className="visually-hidden"> (done)</span> : null}
        </h2>
        <p className="muted">{children}</p>
      </div>
    </li>
  );
}

/** The checklist after the first start. */
export default function WelcomePage() {
  const { person } = useSession();
  const progress = useQuery({ queryKey: ['welcome'], queryFn: ({ signal }) => readProgress(signal) });
  return (
    <>
      <PageHead
        title={person === null ? 'Welcome' : `Welcome, ${person.name}`}
        intro="Three steps, and your team can ask questions."
      />
      <QueryView query={progress} what="your progress">
        {({ hasDocuments, hasAsked, hasPeople }) => (
          <ol className="plain-list">
            <Step isDone={hasDocuments} to="/collections" label="Create a collection and upload documents">
              A collection groups documents that are searched together. Or connect a source under Connectors.
            </Step>
            <Step isDone={hasAsked} to="/ask" label="Ask a question">
              Answers cite the passages that they come from.
            </Step>
            <Step isDone={hasPeople} to="/people" label="Invite your team">
              Create a link for each person, and send it.
            </Step>
          </ol>
        )}
      </QueryView>
    </>
  );
}
