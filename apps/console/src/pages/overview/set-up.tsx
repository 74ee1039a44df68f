import { Link } from 'wouter';
import type { Overview } from '#pages/overview/read-overview.ts';
import { Icon } from '#ui/icon.tsx';

interface Step {
  readonly isDone: boolean;
  readonly to: string;
  readonly label: string;
  readonly about: string;
}

function stepsOf({ collections, hasAsked, peopleCount }: Overview): readonly Step[] {
  const hasDocuments = collections.some(({ documentCount }) => documentCount > 0);
  return [
    {
      isDone: hasDocuments,
      to: '/collections',
      label: 'Create a collection and upload documents',
      about: 'A collection groups documents that are searched together. Or connect a source under Connectors.',
    },
    { isDone: hasAsked, to: '/ask', label: 'Ask a question', about: 'Answers cite the passages that they come from.' },
    ...(peopleCount === undefined
      ? []
      : [
          {
            isDone: peopleCount > 1,
            to: '/people',
            label: 'Invite your team',
            about: 'Create a link for each person, and send it.',
          },
        ]),
  ];
}

/** The checklist after the first start. It disappears when all of its steps are done. */
export function SetUp({ overview }: { readonly overview: Overview }) {
  const steps = stepsOf(overview);
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <section className="stack" aria-labelledby="set-up">
      <h2 id="set-up">Set up Lectern</h2>
      <ol className="plain-list">
        {steps.map(({ isDone, to, label, about }) => (
          <li key={to} className="card row">
            <Icon name={isDone ? 'check' : 'chevron'} />
            <div className="grow">
              <h3>
                <Link href={to}>{label}</Link>
                {isDone ? <span className="visually-hidden"> (done)</span> : null}
              </h3>
              <p className="muted">{about}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
